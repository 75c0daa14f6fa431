import { Terminal } from '@xterm/headless';
import { LiveCli } from './live-cli';
import type { CliOptions } from './run-cli';

const [COLUMNS, ROWS] = [100, 30];

/**
 * A program at a terminal of its own. A full-screen program writes only the cells that change, so what it has written
 * is not what a user reads: the screen of a terminal is.
 */
export class LiveTerminal extends LiveCli {
  private readonly terminal = new Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  /** The title of its window. */
  title = '';

  /** `line`: what a shell starts. */
  constructor(line: string, options: Pick<CliOptions, 'env' | 'cwd'>) {
    const script = `stty cols ${COLUMNS} rows ${ROWS}; exec ${line}`;
    const env = { ...options.env, TERM: 'xterm-256color' };
    super([], { ...options, env }, ['script', '-qefc', script, '/dev/null']);
    this.terminal.onTitleChange((title) => (this.title = title));
    // Answers to what the program asks of its terminal.
    this.terminal.onData((answer) => this.press(answer));
    this.child.stdout!.on('data', (text: string) => this.terminal.write(text, () => this.changes.emit('change')));
  }

  /** What stands on it, line by line. */
  protected override get output(): string {
    const { active } = this.terminal.buffer;
    return Array.from({ length: active.length }, (_, row) => active.getLine(row)!.translateToString(true)).join('\n');
  }

  protected override shown(): Promise<void> {
    return new Promise((resolve) => this.terminal.write('', resolve));
  }

  press(keys: string): void {
    this.child.stdin!.write(keys);
  }
}
