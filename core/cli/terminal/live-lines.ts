import { printable } from '../../log/printable';
import { printNote } from './print';

const REDRAW_MS = 200;
const UP = '\x1b[1A';
const CLEAR_BELOW = '\r\x1b[J';

/** Lines at the bottom of a terminal that change while a command works. Without a terminal there are none. */
export class LiveLines {
  readonly isLive = Boolean(process.stderr.isTTY) && process.env.TERM !== 'dumb';
  private drawn = 0;
  private isHidden = false;
  private readonly timer: NodeJS.Timeout | undefined;

  /** Redraws the lines several times a second, because they show how long things take. */
  constructor(private readonly lines: () => string[]) {
    if (this.isLive) this.timer = setInterval(() => this.draw(), REDRAW_MS).unref();
  }

  /** Prints a line that stays, above the live ones. */
  print(line: string): void {
    this.erase();
    printNote(line);
    this.draw();
  }

  /** Makes room for an answer on the same terminal. */
  hide(): void {
    this.isHidden = true;
    this.erase();
  }

  show(): void {
    this.isHidden = false;
    this.draw();
  }

  close(): void {
    clearInterval(this.timer);
    this.hide();
  }

  private draw(): void {
    if (!this.isLive || this.isHidden) return;
    // A terminal may not know its size.
    const [columns, rows] = [process.stderr.columns || 80, process.stderr.rows || 24];
    // A line that wraps, or leaves the screen, could not be erased.
    const lines = this.lines().slice(0, rows - 1);
    const text = lines.map((line) => `${printable(line).slice(0, columns - 1)}\n`).join('');
    process.stderr.write(this.eraser() + text);
    this.drawn = lines.length;
  }

  private erase(): void {
    if (this.drawn > 0) process.stderr.write(this.eraser());
    this.drawn = 0;
  }

  private eraser(): string {
    return this.drawn === 0 ? '' : UP.repeat(this.drawn) + CLEAR_BELOW;
  }
}
