import type { Command } from 'commander';
import { Console } from 'node:console';
import { codeOf, messageOf } from '../errors';
import { EXIT } from './exit-codes';
import { printNote } from './terminal/print';
import { buildProgram } from './program';
import { reportError } from './report-error';
import { nearestCommands, routeWords } from './route-words';

/** Exit codes above it stand for signals. */
const SIGNAL_BASE = 128;

/** Runs one command line. Ends the process when it is done: a plug-in may have left timers or sockets behind. */
export async function main(words: string[]): Promise<void> {
  // A plug-in that prints must not get into a command's answer.
  globalThis.console = new Console(process.stderr, process.stderr);
  process.stdout.on('error', (error) => {
    // A reader that has left (`drivebay ... | head`) is no failure.
    if (codeOf(error) === 'EPIPE') return;
    printNote(`error: the output cannot be written: ${messageOf(error)}`);
    process.exit(EXIT.failure);
  });
  process.stderr.on('error', () => undefined);
  try {
    await runWords(words);
  } catch (error) {
    process.exitCode = reportError(error);
  }
  // Whoever was interrupted does not wait for a reader that may not read.
  if (!isInterrupted(process.exitCode)) await Promise.all([written(process.stdout), written(process.stderr)]);
  process.exit();
}

async function runWords(typed: string[]): Promise<void> {
  const program = buildProgram(typed[0]);
  const { words, isIntent } = routeWords(typed, program);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    // `serv --port 80` is read as an intent with a flag that `run` does not have.
    if (isIntent && codeOf(error) === 'commander.unknownOption') suggestCommand(typed[0]!, program);
    throw error;
  }
}

function suggestCommand(word: string, program: Command): void {
  const [near] = nearestCommands(word, program);
  if (near !== undefined) printNote(`  or did you mean the command ${near}?`);
}

function isInterrupted(exitCode: typeof process.exitCode): boolean {
  return Number(exitCode ?? EXIT.ok) > SIGNAL_BASE;
}

/** Resolves when everything before has reached the system, or nobody reads it any more. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
