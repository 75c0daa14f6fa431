import { openSync } from 'node:fs';
import { createInterface, type Interface, type ReadLineOptions } from 'node:readline/promises';
import { ReadStream } from 'node:tty';
import { InterruptedError } from './signals';

export function isAttended(): boolean {
  return Boolean(process.stdin.isTTY && process.stdout.isTTY);
}

/** Where a question shows: on stderr while stdout leads elsewhere. */
const screen = () => [process.stdout, process.stderr].find(({ isTTY }) => isTTY);

/** Whether somebody sees a question and can answer it, wherever text comes from and the answer of the command goes. */
export function canAsk(): boolean {
  if (!screen()) return false;
  const keys = keyboard();
  if (keys && keys !== process.stdin) keys.destroy();
  return keys !== undefined;
}

/** The keys of the user. While a pipe is on stdin, they are those of the terminal that the program belongs to. */
function keyboard(): ReadStream | undefined {
  if (process.stdin.isTTY) return process.stdin;
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch {
    return undefined;
  }
}

/** Asks for one of several names. Return takes the first. */
export async function askForOne(what: string, names: readonly string[]): Promise<string> {
  const [standard = ''] = names;
  for (;;) {
    const answer = (await ask(`${what} (${names.join(', ')}) [${standard}]: `)) || standard;
    if (names.includes(answer)) return answer;
    process.stdout.write(`there is no ${answer}\n`);
  }
}

/** Asks a question. Return says no, or `standard`. */
export async function confirm(question: string, standard: 'yes' | 'no' = 'no'): Promise<boolean> {
  return isYes((await ask(`${question} ${CHOICE[standard]} `)) || standard);
}

export const CHOICE = { yes: '[Y/n]', no: '[y/N]' };

export function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}

/** Readline stops reading when `fg` brings the program back after Ctrl-Z, and a program that reads nothing ends. */
export function readKeys(options: ReadLineOptions): Interface {
  const lines = createInterface(options);
  return lines.on('SIGCONT', () => lines.resume());
}

/** Rejects with an InterruptedError after Ctrl-C and at the end of the input. */
async function ask(question: string): Promise<string> {
  const output = screen() ?? process.stdout;
  const input = keyboard() ?? process.stdin;
  const terminal = readKeys({ input, output });
  try {
    return await new Promise((resolve, reject) => {
      // Ctrl-C closes the terminal too, as long as nothing listens for it.
      terminal.once('close', () => {
        output.write('\n');
        reject(new InterruptedError('SIGINT'));
      });
      terminal.question(question).then((answer) => resolve(answer.trim()), reject);
    });
  } finally {
    terminal.removeAllListeners('close');
    terminal.close();
    if (input !== process.stdin) input.destroy();
  }
}
