import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline/promises';
import { codeOf } from '../../errors';
import { EXIT, exitCodeOf } from '../exit-codes';
import { pathsHere } from '../here';
import { HISTORY_LIMIT, LineHistory } from './line-history';
import { printNote } from './print';
import { isAttended, readKeys } from './prompt';
import { onSignal } from './signals';

interface LoopOptions {
  /** What stands before a line on a terminal. */
  prompt: string;
  /** The name of the file with the lines of earlier loops. */
  history: string;
  /** Printed first on a terminal. */
  greeting: string;
  completer?: (line: string) => Promise<[string[], string]>;
}

/**
 * Reads lines from a terminal or a pipe and works on one after the other. On a terminal it ends with exit code 0, else with
 * the code of the last work that failed.
 */
export abstract class LineLoop {
  protected readonly isTerminal = isAttended();
  protected readonly lines: Interface;
  protected isBusy = false;
  protected isOver = false;
  private readonly history: LineHistory;
  private exitCode: number = EXIT.ok;
  /** Set when the loop ends before its input. */
  private forced: number | undefined;

  constructor(private readonly options: LoopOptions) {
    this.history = new LineHistory(join(pathsHere().state, options.history));
    this.lines = this.open();
  }

  /** Works on one text. `process.exitCode` says how it ended. */
  protected abstract work(text: string): Promise<void>;
  /** Ctrl-C while nothing is worked on. `isTyping`: a line has begun. */
  protected abstract interruptIdle(isTyping: boolean): void;

  protected inputs(): AsyncIterable<string> {
    return this.lines;
  }

  async run(): Promise<void> {
    if (this.isTerminal) printNote(this.options.greeting);
    this.lines.on('SIGINT', () => this.interrupt());
    // Ctrl-C ends the work. These signals end the loop too.
    onSignal((signal) => this.leave(exitCodeOf(signal)), ['SIGTERM', 'SIGHUP']);
    process.stdout.on('error', (error) => codeOf(error) === 'EPIPE' && this.leave(EXIT.ok));
    if (this.isTerminal) this.lines.prompt();
    for await (const text of this.inputs()) {
      await this.take(text);
      if (this.isOver) break;
      if (this.isTerminal) this.lines.prompt();
    }
    // After Ctrl-D the cursor is still behind the prompt.
    if (this.isTerminal && !this.isOver) process.stdout.write('\n');
    this.lines.close();
    process.exitCode = this.forced ?? (this.isTerminal ? EXIT.ok : this.exitCode);
  }

  /** Reads no further line. The work gets the same signal and ends by itself. */
  protected leave(exitCode: number): void {
    this.forced ??= exitCode;
    this.isOver = true;
    if (!this.isBusy) this.lines.close();
  }

  /** Deletes what is typed, and begins a new line. */
  protected clearLine(note?: string): void {
    process.stdout.write('^C\n');
    if (note !== undefined) printNote(note);
    // Ctrl-E and Ctrl-U delete the line.
    this.lines.write(null, { ctrl: true, name: 'e' });
    this.lines.write(null, { ctrl: true, name: 'u' });
    this.lines.prompt();
  }

  private async take(given: string): Promise<void> {
    const text = given.trim();
    if (text === '') return;
    if (this.isTerminal) text.split('\n').forEach((line) => line.trim() && this.history.add(line));
    this.isBusy = true;
    process.exitCode = undefined;
    await this.work(text);
    this.isBusy = false;
    if (process.exitCode) this.exitCode = Number(process.exitCode);
  }

  /** While readline has the terminal, Ctrl-C sends no signal, so the loop sends one to the work. */
  private interrupt(): void {
    if (this.isBusy) process.emit('SIGINT', 'SIGINT');
    else this.interruptIdle(this.lines.line !== '');
  }

  private open(): Interface {
    const { stdin: input, stdout: output } = process;
    if (!this.isTerminal) return createInterface({ input, crlfDelay: Infinity });
    const { prompt, completer } = this.options;
    const history = this.history.load();
    const options = { input, output, prompt, history, historySize: HISTORY_LIMIT, removeHistoryDuplicates: true };
    return readKeys(completer ? { ...options, completer } : options);
  }
}
