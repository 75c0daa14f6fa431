import type { ChatEvent } from 'drivebay/plugin';

/**
 * The text of an answer while it is written, its messages as paragraphs. When the stream of the backend breaks off, the
 * program asks again: what the client has already is not passed on twice.
 */
export class StreamedText {
  /** Whether the second answer is another one than the first, of which the client has a part. */
  isAnother = false;
  /** What this response says. */
  private said = '';
  /** What the client has of it. */
  private passed = '';
  private hasBefore = false;
  private isRepeated = false;
  private message: { id: unknown; length: number } | undefined;

  add(id: unknown, text: string): ChatEvent[] {
    if (text === '') return [];
    const isNew = !this.message || this.message.id !== id;
    if (!this.message || isNew) this.message = { id, length: 0 };
    this.message.length += text.length;
    const piece = isNew && (this.said !== '' || this.hasBefore) ? `\n\n${text}` : text;
    this.said += piece;
    const news = this.isRepeated ? this.newsOfRepetition() : piece;
    if (news === '') return [];
    this.passed = this.said;
    return [{ type: 'text', text: news }];
  }

  /** A message that is complete: what was not streamed of it is passed on now. */
  complete(id: unknown, text: string): ChatEvent[] {
    const events = this.add(id, text.slice(this.message && this.message.id === id ? this.message.length : 0));
    this.message = undefined;
    return events;
  }

  /** The program asks its backend again: the response begins anew. */
  repeat(): void {
    this.said = '';
    this.message = undefined;
    this.isRepeated = true;
  }

  /** The response is complete. */
  commit(): void {
    if (this.said.length < this.passed.length) this.isAnother = true;
    this.hasBefore ||= this.said !== '';
    this.said = this.passed = '';
    this.message = undefined;
    this.isRepeated = false;
  }

  private newsOfRepetition(): string {
    if (!this.passed.startsWith(this.said) && !this.said.startsWith(this.passed)) this.isAnother = true;
    return this.isAnother ? '' : this.said.slice(this.passed.length);
  }
}
