import type { ChatEvent, FinishReason, Usage } from '../contract/api';
import { isFields } from '../fields';

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
        for (const text of wordsIn(event.delta)) this.addWords({ type: 'text', text });
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

/** What the user would not see otherwise: a refusal in words of its own, and pictures, which chat programs show in a text. */
function wordsIn({ refusal, images }: Record<string, unknown> = {}): string[] {
  const drawn = Array.isArray(images) ? images.filter(isFields).map(({ image_url: image }) => image) : [];
  const urls = drawn.flatMap((image) => (isFields(image) && typeof image.url === 'string' ? [image.url] : []));
  return [...(typeof refusal === 'string' ? [refusal] : []), ...urls.map((url) => `![image](${url})`)];
}
