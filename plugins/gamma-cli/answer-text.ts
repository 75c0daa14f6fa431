import type { ChatEvent } from 'drivebay/plugin';

/** Puts the texts of a run together: what is said before and after a tool runs are paragraphs of one answer. */
export class AnswerText {
  hasText = false;
  /** Whether a tool has been at work. */
  hasActed = false;
  private isNewParagraph = false;

  add(text: string): ChatEvent[] {
    if (text === '') return [];
    const event: ChatEvent = { type: 'text', text: this.isNewParagraph ? `\n\n${text}` : text };
    this.isNewParagraph = false;
    this.hasText = true;
    return [event];
  }

  act(): void {
    this.hasActed = true;
    this.isNewParagraph = this.hasText;
  }
}
