import type { ChatEvent, FinishReason, Usage } from '../contract/api';

export type WordsEvent = Extract<ChatEvent, { type: 'text' | 'reasoning' | 'reasoning_end' }>;
export type CallEvent = Extract<ChatEvent, { type: 'tool_call' }>;

/** The events of an answer, for a wire that knows no fields of chat completions. */
export abstract class AnswerEvents {
  usage: Usage | undefined;
  finish: FinishReason | undefined;

  add(event: ChatEvent): void {
    switch (event.type) {
      case 'text':
      case 'reasoning':
      case 'reasoning_end':
        this.addWords(event);
        break;
      case 'tool_call':
        this.addCall(event);
        break;
      case 'extra':
        // A refusal in words of its own is all that the user sees.
        if (typeof event.delta?.refusal === 'string') this.addWords({ type: 'text', text: event.delta.refusal });
        break;
      case 'usage':
        this.usage = event;
        break;
      case 'finish':
        this.finish = event.reason;
        break;
      default:
    }
  }

  protected abstract addWords(event: WordsEvent): void;
  protected abstract addCall(event: CallEvent): void;
}
