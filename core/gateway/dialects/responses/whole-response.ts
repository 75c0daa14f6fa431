import type { ChatEvent } from '../../../contract/api';
import { type Fields, isFields } from '../../../fields';
import type { CallContext } from '../../dialect';
import type { BodyForm } from '../../whole-chat';
import { AnswerItems } from './answer-items';
import { NO_EVENTS } from './event-sink';
import { finalState } from './final-state';
import type { AnswerOrder } from './parse-request';
import { fieldNames } from './request-fields';
import { veil } from './veil';

/** A response that is sent as one body. */
export class WholeResponse implements BodyForm {
  readonly fieldNames = fieldNames;
  private readonly items: AnswerItems;
  private native: Fields | undefined;

  constructor(private readonly order: AnswerOrder) {
    this.items = new AnswerItems(order, NO_EVENTS);
  }

  get ignored(): string[] {
    return this.native ? [] : this.order.lost;
  }

  begin(context: CallContext): void {
    this.items.begin(context);
  }

  veil(event: ChatEvent): ChatEvent {
    return veil(event, this.order.head);
  }

  add(event: ChatEvent): void {
    if (event.type === 'native') this.native = event.value;
    else this.items.add(event);
  }

  toBody(): Fields {
    if (this.native) return this.kept(this.order.head.claim(this.native));
    this.items.close();
    return this.kept(this.order.head.toObject(finalState(this.items, false)));
  }

  private kept(response: Fields): Fields {
    const { output, status } = response;
    const { keep } = this.order;
    if (keep && Array.isArray(output) && status !== 'failed') {
      keep(output.filter(isFields), JSON.stringify(response));
    }
    return response;
  }
}

/** The conversation that takes the place of a longer one: the answer to clients that ask for it by a path. */
export class Compacted extends WholeResponse {
  override toBody(): Record<string, unknown> {
    const { id, created_at, output, usage } = super.toBody();
    return { id, object: 'response.compaction', created_at, output, usage };
  }
}
