import type { ChatEvent } from 'drivebay/plugin';

type Channel = 'text' | 'reasoning';

/** By the type of a block. */
export const CHANNELS = new Map<unknown, Channel>([
  ['text', 'text'],
  ['thinking', 'reasoning'],
]);

/**
 * Puts the answer together from the messages of a run. Before and after each tool call stands a message of its own; they
 * are paragraphs of one answer. Text that was passed on is never repeated.
 */
export class AnswerText {
  hasText = false;
  hasContent = false;
  /** Whether a text that was passed on already has begun anew, where that is a failure. */
  isRestarted = false;
  private open: { id: string; channel: Channel | undefined; block: string; text: string; hasCall: boolean } | undefined;
  private readonly streamed = new Set<string>();
  /** The message that each channel's last piece came from. */
  private readonly last: Partial<Record<Channel, string>> = {};
  /** Whether the next message goes on where the last one was cut. */
  private goesOn = false;

  /** `refusesRestart`: whether a second beginning is a failure; otherwise it follows as a paragraph of its own. */
  constructor(private readonly refusesRestart: boolean) {}

  /** Whether the message that comes has neither a word nor a call so far. */
  get isBlank(): boolean {
    return this.open !== undefined && !this.open.hasCall && this.open.text.trim() === '';
  }

  start(id: string): void {
    if (this.open?.text) this.isRestarted = this.refusesRestart;
    this.streamed.add(id);
    this.open = { id, channel: undefined, block: '', text: '', hasCall: false };
  }

  startBlock(channel: Channel | undefined, text: string): ChatEvent | undefined {
    const { open } = this;
    if (open) Object.assign(open, { channel, block: '', hasCall: open.hasCall || channel === undefined });
    return channel && text !== '' ? this.delta(channel, text) : undefined;
  }

  delta(channel: Channel, text: string): ChatEvent {
    if (!this.open) this.start('');
    const open = this.open!;
    if (open.channel !== channel) open.block = '';
    open.channel = channel;
    open.block += text;
    if (channel === 'text') open.text += text;
    return this.show(channel, text, open.id);
  }

  /** The streamed message is complete. `wasCut`: at the token limit, and the next one continues it. */
  stop(wasCut: boolean): void {
    this.open = undefined;
    this.goesOn = wasCut;
  }

  /** A block that comes whole: a copy of what was streamed, or the first that is heard of it. */
  whole(id: string, channel: Channel, text: string): ChatEvent | undefined {
    const { open } = this;
    if (open && (open.id === id || open.id === '' || id === '')) {
      return open.channel === channel ? this.rest(channel, open.block, text) : undefined;
    }
    if (this.streamed.has(id) || (id === '' && this.streamed.size > 0)) return undefined;
    if (open?.text && channel === 'text') {
      // The stream broke, and the program asked again for the whole.
      if (text.startsWith(open.text)) {
        const event = this.rest(channel, open.text, text);
        this.open = undefined;
        return event;
      }
      this.isRestarted = this.refusesRestart;
    }
    return text === '' ? undefined : this.show(channel, text, id);
  }

  /** The program's last word, for a run that has shown no text. */
  final(text: string): ChatEvent | undefined {
    return text === '' || this.hasText ? undefined : this.show('text', text, undefined);
  }

  private rest(channel: Channel, shown: string, whole: string): ChatEvent | undefined {
    if (whole.length <= shown.length || !whole.startsWith(shown)) return undefined;
    return this.delta(channel, whole.slice(shown.length));
  }

  private show(channel: Channel, text: string, id = ''): ChatEvent {
    const before = this.last[channel];
    const isParagraph = before !== undefined && before !== id && !(channel === 'text' && this.goesOn);
    this.last[channel] = id;
    this.hasContent = true;
    if (channel === 'text') {
      this.hasText = true;
      this.goesOn = false;
    }
    return { type: channel, text: isParagraph ? `\n\n${text}` : text };
  }
}
