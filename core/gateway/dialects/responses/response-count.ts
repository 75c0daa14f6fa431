import type { ChatRequest } from '../../../contract/api';
import type { CountForm } from '../../count-call';
import { estimateChat } from './estimate-chat';
import type { ParsedRequest } from './parse-request';

/** A count of this wire. What is no request is refused, as an answer to it would be. */
export class ResponseCount implements CountForm {
  readonly model: string;
  private readonly chat: ChatRequest;

  constructor({ model, chat }: ParsedRequest) {
    this.model = model;
    this.chat = chat;
  }

  readChat(): ChatRequest {
    return this.chat;
  }

  estimate(): number {
    return estimateChat(this.chat);
  }

  toBody(tokens: number): object {
    return { object: 'response.input_tokens', input_tokens: tokens };
  }
}
