import { createInterface, type Interface } from 'node:readline/promises';
import { codeOf } from '../../errors';
import { shieldWords } from '../agents/spawn-options';
import { suggest } from '../completion/complete';
import { EXIT, exitCodeOf } from '../exit-codes';
import { pathsHere } from '../here';
import { reportError } from '../report-error';
import { printNote } from '../terminal/print';
import { CHOICE, isAttended, isYes } from '../terminal/prompt';
import { onSignal, untilInterrupted } from '../terminal/signals';
import { HISTORY_LIMIT, ShellHistory } from './shell-history';
import { buildShellProgram } from './shell-program';
import { splitWords } from './split-words';

const PROMPT = 'drivebay> ';

/**
 * `shell`: commands about agents, one per line, from a terminal or a pipe. From a pipe the exit code is that of the last
 * command that failed, or 0.
 */
export async function shell(): Promise<void> {
  await new Shell().run();
}

class Shell {
  private readonly isTerminal = isAttended();
  private readonly history = new ShellHistory(pathsHere().state);
  private readonly lines = this.open();
  private isBusy = false;
  private isOver = false;
  private exitCode: number = EXIT.ok;
  /** Set when the shell ends before its input. */
  private forced: number | undefined;

  async run(): Promise<void> {
    if (this.isTerminal) printNote('`help` shows the commands, Ctrl-D leaves');
    this.lines.on('SIGINT', () => this.interrupt());
    // Ctrl-C ends the command that runs. These signals end the shell too.
    onSignal((signal) => this.leave(exitCodeOf(signal)), ['SIGTERM', 'SIGHUP']);
    process.stdout.on('error', (error) => codeOf(error) === 'EPIPE' && this.leave(EXIT.ok));
    if (this.isTerminal) this.lines.prompt();
    for await (const line of this.lines) {
      await this.take(line.trim());
      if (this.isOver) break;
      if (this.isTerminal) this.lines.prompt();
    }
    // After Ctrl-D the cursor is still behind the prompt.
    if (this.isTerminal && !this.isOver) process.stdout.write('\n');
    this.lines.close();
    process.exitCode = this.forced ?? (this.isTerminal ? EXIT.ok : this.exitCode);
  }

  /** Reads no further line. The command that runs gets the same signal and ends by itself. */
  private leave(exitCode: number): void {
    this.forced ??= exitCode;
    this.isOver = true;
    if (!this.isBusy) this.lines.close();
  }

  private open(): Interface {
    const { stdin: input, stdout: output } = process;
    if (!this.isTerminal) return createInterface({ input, crlfDelay: Infinity });
    return createInterface({
      input,
      output,
      prompt: PROMPT,
      history: this.history.load(),
      historySize: HISTORY_LIMIT,
      removeHistoryDuplicates: true,
      completer: (line: string) => complete(line).catch((): [string[], string] => [[], line]),
    });
  }

  private async take(line: string): Promise<void> {
    if (line === '' || line.startsWith('#')) return;
    if (this.isTerminal) this.history.add(line);
    this.isBusy = true;
    process.exitCode = undefined;
    try {
      const words = splitWords(line);
      const program = buildShellProgram(
        () => (this.isOver = true),
        (question) => this.ask(question),
      );
      await program.parseAsync(words[0] === 'spawn' ? shieldWords(words) : words, { from: 'user' });
    } catch (error) {
      process.exitCode = reportError(error);
    }
    this.isBusy = false;
    if (process.exitCode) this.exitCode = Number(process.exitCode);
  }

  /** Asks at the prompt, which has the terminal. */
  private async ask(question: string): Promise<boolean> {
    // Without a prompt readline shows no question.
    if (!this.isTerminal) printNote(question);
    const stop = new AbortController();
    try {
      return isYes(await untilInterrupted(this.lines.question(`${question} ${CHOICE.no} `, { signal: stop.signal })));
    } finally {
      // After Ctrl-C the next line is a command again.
      stop.abort();
    }
  }

  /** While readline has the terminal, Ctrl-C sends no signal, so the shell sends one to the command that runs. */
  private interrupt(): void {
    if (this.isBusy) {
      process.emit('SIGINT', 'SIGINT');
      return;
    }
    process.stdout.write('^C\n');
    // Ctrl-E and Ctrl-U delete the line.
    this.lines.write(null, { ctrl: true, name: 'e' });
    this.lines.write(null, { ctrl: true, name: 'u' });
    this.lines.prompt();
  }
}

async function complete(line: string): Promise<[string[], string]> {
  const words = line.split(/\s+/);
  const last = words.at(-1) ?? '';
  const program = buildShellProgram(() => undefined);
  const found = await suggest(program, words.slice(0, -1).filter(Boolean), last);
  return [Array.isArray(found) ? found.map(({ value }) => `${value} `) : [], last];
}
