import type { ChatEvent } from '../contract/api';
import { sendLongText } from '../serving/send';
import { type AnswerForm, ChatCall, noJson } from './chat-call';

/** Folds the events of an answer into one body, in the wire of a dialect. */
export interface BodyForm extends AnswerForm {
  add(event: ChatEvent): void;
  toBody(): object;
}

/** A chat whose answer is one JSON body. */
export class WholeChat extends ChatCall<BodyForm> {
  /** Nothing can be sent behind a body that was begun. */
  fail(): void {
    this.context.response.destroy();
  }

  protected readonly emit = (event: ChatEvent): undefined => {
    if (event.type === 'meta') this.note(event);
    this.form.add(event);
  };

  protected end(): Promise<void> | undefined {
    const { response, running } = this.context;
    return sendLongText(response, 200, this.toJson(), this.headers(), running.length === 1);
  }

  private toJson(): string {
    try {
      return JSON.stringify(this.form.toBody());
    } catch (error) {
      throw noJson(error);
    }
  }
}
