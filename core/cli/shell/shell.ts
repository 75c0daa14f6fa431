import { createInterface, type Interface } from 'node:readline';
import { findPaths } from '../../paths';
import { codeOf } from '../../errors';
import { EXIT } from '../exit-codes';
import { exitCodeOf } from '../terminal/on-signal';
import { printNote } from '../terminal/print';
import { reportError } from '../report-error';
import { complete } from './shell-completer';
import { HISTORY_LIMIT, ShellHistory } from './shell-history';
import { buildShellProgram } from './shell-program';
import { shieldWords } from '../agents/spawn-options';
import { splitWords } from './split-words';
import { workingDirectory } from '../working-directory';

const PROMPT = 'drivebay> ';

/**
 * `shell`: commands about agents, one per line, from a terminal or a pipe. From a pipe the exit code is that of the last
 * command that failed, or 0.
 */
export async function shell(): Promise<void> {
  const shell = new Shell();
  await shell.run();
}

class Shell {
  private readonly isTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  private readonly history = new ShellHistory(findPaths(process.env, workingDirectory()).state);
  private readonly lines = this.open();
  private isBusy = false;
  private isOver = false;
  private exitCode: number = EXIT.ok;
  /** Set when the shell has to end before its input does. */
  private forced: number | undefined;

  async run(): Promise<void> {
    if (this.isTerminal) printNote('`help` shows the commands, Ctrl-D leaves');
    this.lines.on('SIGINT', () => this.interrupt());
    // Ctrl-C is for the command that runs; these are for the shell, too.
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.leave(exitCodeOf(signal)));
    process.stdout.on('error', (error) => codeOf(error) === 'EPIPE' && this.leave(EXIT.ok));
    this.prompt();
    for await (const line of this.lines) {
      await this.take(line.trim());
      if (this.isOver) break;
      this.prompt();
    }
    // After Ctrl-D the cursor is still behind the prompt.
    if (this.isTerminal && !this.isOver) process.stdout.write('\n');
    this.lines.close();
    process.exitCode = this.forced ?? (this.isTerminal ? EXIT.ok : this.exitCode);
  }

  /** What is still to be read would be done for nobody. The command that runs has been told, too. */
  private leave(exitCode: number): void {
    this.forced ??= exitCode;
    this.isOver = true;
    if (!this.isBusy) this.lines.close();
  }

  private open(): Interface {
    if (!this.isTerminal) return createInterface({ input: process.stdin, crlfDelay: Infinity });
    return createInterface({
      input: process.stdin,
      output: process.stdout,
      prompt: PROMPT,
      history: this.history.load(),
      historySize: HISTORY_LIMIT,
      removeHistoryDuplicates: true,
      completer: (line: string, answer: (error: null, result: [string[], string]) => void) =>
        void complete(line).then(
          (result) => answer(null, result),
          () => answer(null, [[], line]),
        ),
    });
  }

  private prompt(): void {
    if (this.isTerminal) this.lines.prompt();
  }

  private async take(line: string): Promise<void> {
    if (line === '' || line.startsWith('#')) return;
    if (this.isTerminal) this.history.add(line);
    this.isBusy = true;
    process.exitCode = undefined;
    try {
      await this.execute(line);
    } catch (error) {
      process.exitCode = reportError(error);
    }
    this.isBusy = false;
    if (process.exitCode) this.exitCode = Number(process.exitCode);
  }

  private async execute(line: string): Promise<void> {
    const words = splitWords(line);
    const program = buildShellProgram(() => (this.isOver = true));
    await program.parseAsync(words[0] === 'spawn' ? shieldWords(words) : words, { from: 'user' });
  }

  /** A terminal in the hands of readline sends no signal: the command that runs gets one from here. */
  private interrupt(): void {
    if (this.isBusy) {
      process.emit('SIGINT', 'SIGINT');
      return;
    }
    process.stdout.write('^C\n');
    // Forgets what was typed.
    this.lines.write(null, { ctrl: true, name: 'e' });
    this.lines.write(null, { ctrl: true, name: 'u' });
    this.lines.prompt();
  }
}
