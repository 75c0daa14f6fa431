import type { ChatEvent } from 'drivebay/plugin';
import { errorTail, safeLength } from './error-tail';

/**
 * Puts the texts of a run together: what stands before and after a tool call are paragraphs of one answer. The end of a text
 * is held back as long as it may be the beginning of an error's words.
 */
export class AnswerText {
  /** Whether something was passed on. */
  hasText = false;
  /** Everything the CLI has said, as it said it. */
  private said = '';
  private held = '';
  /** Whether something of the current paragraph was passed on. */
  private isOpen = false;

  add(text: string): ChatEvent[] {
    if (text === '') return [];
    this.said += text;
    const pending = this.held + text;
    const length = safeLength(pending, !this.isOpen);
    this.held = pending.slice(length);
    return this.pass(pending.slice(0, length));
  }

  /** Ends a paragraph. What it ends with is either passed on or an error, whose words are no part of the answer. */
  close(): { events: ChatEvent[]; error?: string } {
    const { held } = this;
    this.held = '';
    const error = errorTail(held);
    const events = error === undefined ? this.pass(held) : [];
    this.isOpen = false;
    return error === undefined ? { events } : { events, error };
  }

  /** Adds what the CLI's own sum of all texts has and its events had not. */
  complete(whole: string): ChatEvent[] {
    return whole.startsWith(this.said) ? this.add(whole.slice(this.said.length)) : [];
  }

  private pass(text: string): ChatEvent[] {
    if (text === '') return [];
    const event: ChatEvent = { type: 'text', text: this.hasText && !this.isOpen ? `\n\n${text}` : text };
    this.hasText = true;
    this.isOpen = true;
    return [event];
  }
}
