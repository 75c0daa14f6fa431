import type { ChatEvent } from 'drivebay/plugin';

/** The texts of a run: what is said before and after a tool runs are paragraphs of one answer. */
export class Paragraphs {
  /** Whether anything was said. */
  hasText = false;
  private isOpen = false;

  constructor(private readonly type: 'text' | 'reasoning' = 'text') {}

  add(text: string): ChatEvent[] {
    if (text === '') return [];
    const event: ChatEvent = { type: this.type, text: this.hasText && !this.isOpen ? `\n\n${text}` : text };
    this.hasText = true;
    this.isOpen = true;
    return [event];
  }

  /** The next text begins a paragraph. */
  end(): void {
    this.isOpen = false;
  }
}
