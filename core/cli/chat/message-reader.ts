import { EventEmitter, once } from 'node:events';
import type { Interface } from 'node:readline/promises';

/** A terminal sends these keys around a pasted text when it is asked to. Readline knows the keys by these names. */
const PASTES = { 'paste-start': true, 'paste-end': false };
const ASK_FOR_PASTES = '\x1b[?2004h';
const NO_MORE_PASTES = '\x1b[?2004l';

export const PROMPTS = { first: 'you> ', next: '...> ' };

/**
 * Puts the lines of readline together to messages: a line that ends with a backslash goes on in the next one, and a pasted
 * text is one message with its line breaks, which the next Return sends.
 */
export class MessageReader implements AsyncIterable<string> {
  private readonly ready: string[] = [];
  private readonly changes = new EventEmitter();
  private gathered: string[] = [];
  private isPasting = false;
  private isClosed = false;

  /** `terminal` is absent where the lines come from a pipe: there is no paste, and no prompt. A dumb one would show the request for pastes. */
  constructor(
    private readonly lines: Interface,
    private readonly terminal?: { keys: NodeJS.ReadableStream; screen: NodeJS.WritableStream },
  ) {
    lines.on('line', (line) => this.take(line));
    lines.once('close', () => this.close());
    terminal?.keys.on('keypress', this.onKey);
    this.say(ASK_FOR_PASTES);
  }

  /** Whether lines wait for the end of their message. */
  get isInside(): boolean {
    return this.gathered.length > 0;
  }

  /** Drops the lines that wait for the end of their message. */
  drop(): void {
    this.gathered = [];
    this.lines.setPrompt(PROMPTS.first);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void> {
    for (;;) {
      const message = this.ready.shift();
      if (message !== undefined) yield message;
      else if (this.isClosed) return;
      else await once(this.changes, 'change');
    }
  }

  private readonly onKey = (_: unknown, { name = '' }: { name?: string } = {}): void => {
    this.isPasting = PASTES[name as keyof typeof PASTES] ?? this.isPasting;
  };

  private take(line: string): void {
    const goesOn = !this.isPasting && line.endsWith('\\');
    this.gathered.push(goesOn ? line.slice(0, -1) : line);
    if (this.isPasting) return;
    if (!goesOn) this.complete();
    else if (this.terminal) {
      this.lines.setPrompt(PROMPTS.next);
      this.lines.prompt();
    }
  }

  private complete(): void {
    this.ready.push(this.gathered.join('\n'));
    this.drop();
    this.changes.emit('change');
  }

  private say(sequence: string): void {
    if (process.env.TERM !== 'dumb') this.terminal?.screen.write(sequence);
  }

  private close(): void {
    if (this.isInside) this.complete();
    this.isClosed = true;
    this.terminal?.keys.removeListener('keypress', this.onKey);
    this.say(NO_MORE_PASTES);
    this.changes.emit('change');
  }
}
