const WINDOW_MS = 60_000;

/** Passes a line on at once, and says after a while how often the same line came again. */
export class RepeatCounter {
  private readonly counts = new Map<string, number>();

  constructor(private readonly say: (line: string) => void) {}

  add(line: string): void {
    const count = this.counts.get(line);
    this.counts.set(line, count === undefined ? 0 : count + 1);
    if (count !== undefined) return;
    this.say(line);
    setTimeout(() => this.settle(line), WINDOW_MS).unref();
  }

  private settle(line: string): void {
    const count = this.counts.get(line) ?? 0;
    this.counts.delete(line);
    if (count > 0) this.say(`${line} (${count === 1 ? 'once more' : `${count} more times`} since)`);
  }
}
