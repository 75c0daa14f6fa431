import type { ChatEvent, FinishReason, Usage } from '../contract/api';
import { makerOf } from '../contract/carried';
import { isFields } from '../fields';
import type { CallContext } from './dialect';

export type WordsEvent = Extract<ChatEvent, { type: 'text' | 'reasoning' | 'reasoning_end' }>;
export type CallEvent = Extract<ChatEvent, { type: 'tool_call' }>;

/** The events of an answer, for a wire that knows no fields of chat completions. */
export abstract class AnswerEvents {
  usage: Usage | undefined;
  finish: FinishReason | undefined;
  stopSequence: string | undefined;
  isRefusal = false;
  private context: CallContext | undefined;

  begin(context: CallContext): void {
    this.context = context;
  }

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
        this.addFields(event.delta);
        break;
      case 'usage':
        this.usage = event;
        break;
      case 'finish':
        this.finish = event.reason;
        this.stopSequence = event.stopSequence;
        break;
      default:
    }
  }

  protected abstract addWords(event: WordsEvent): void;
  protected abstract addCall(event: CallEvent): void;

  /** A text that clients send back, with what the driver wants back with the next turn. */
  protected pack(extra: Record<string, unknown>, plain?: string): string {
    const { carriers, caller, device } = this.context!;
    return carriers.pack({ maker: makerOf(caller.asked ?? device), extra }, plain);
  }

  /** Words by which the model declines to answer. */
  protected addRefusal(text: string): void {
    this.isRefusal = true;
    this.addWords({ type: 'text', text });
  }

  /** What the user would not see otherwise. */
  private addFields({ refusal, images }: Record<string, unknown> = {}): void {
    if (typeof refusal === 'string') this.addRefusal(refusal);
    for (const url of urlsIn(images)) this.addWords({ type: 'text', text: `![image](${url})` });
  }
}

/** The addresses of pictures, which chat programs show in a text. */
function urlsIn(images: unknown): string[] {
  const drawn = Array.isArray(images) ? images.filter(isFields).map(({ image_url: image }) => image) : [];
  return drawn.flatMap((image) => (isFields(image) && typeof image.url === 'string' ? [image.url] : []));
}
