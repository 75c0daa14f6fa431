import type { ChatEvent } from '../../../contract/api';
import type { HttpError } from '../../../serving/http-error';
import type { CallContext } from '../../dialect';
import type { StreamForm } from '../../streamed-chat';
import { AnswerItems } from './answer-items';
import { finalState } from './final-state';
import { errorEvent, judge, streamFailure } from './judge-failure';
import { NativeStream } from './native-stream';
import type { AnswerOrder } from './parse-request';
import { fieldNames } from './request-fields';
import { IN_PROGRESS, type ResponseHead, type ResponseState, wireUsage } from './response-head';
import { veil } from './veil';

/** Spells the events of an answer as the events of a response. */
export class ResponseStream implements StreamForm {
  readonly fieldNames = fieldNames;
  private readonly head: ResponseHead;
  private readonly items: AnswerItems;
  /** Undefined where the backend speaks another wire. */
  private native: NativeStream | undefined;
  private sequence = 0;
  private frame = '';
  private isOpen = false;

  /** `readsStreamsOnly`: the client shows its user no other errors, repeats what a filter has cut, and knows no refusals. */
  constructor(
    private readonly order: AnswerOrder,
    private readonly readsStreamsOnly: boolean,
  ) {
    this.head = order.head;
    this.items = new AnswerItems(order, this, readsStreamsOnly);
  }

  get ignored(): string[] {
    return this.native ? [] : this.order.lost;
  }

  begin(context: CallContext): void {
    this.items.begin(context);
  }

  veil(event: ChatEvent): ChatEvent {
    return veil(event, this.head);
  }

  frames(event: ChatEvent): string {
    if (event.type === 'native') {
      this.native ??= new NativeStream(this.head, this.order.keep);
      return this.native.frame(event.value, this.sequence);
    }
    if (this.native) return '';
    this.items.add(event);
    return this.taken();
  }

  leftovers(): string {
    return '';
  }

  end(): string {
    if (this.native) return '';
    this.open();
    this.items.close();
    const state = finalState(this.items, this.readsStreamsOnly);
    const response = this.head.toText(state);
    if (state.error) this.write('error', errorEvent(state.error));
    else this.order.keep?.(this.items.output, response);
    this.writeResponse(state.status, response);
    return this.taken();
  }

  /** Items that are open stay so: a client would run a call, or count a text as said. */
  fail(error: HttpError): string {
    const failure = streamFailure(error);
    if (this.native) return this.native.fail(failure);
    this.write('error', errorEvent(failure));
    const usage = wireUsage(this.items.usage);
    const state: ResponseState = { ...IN_PROGRESS, status: 'failed', output: [], usage, error: failure };
    this.writeResponse('failed', this.head.toText(state));
    return this.taken();
  }

  takesFailure(error: HttpError): boolean {
    return this.readsStreamsOnly && judge(error).isFinal;
  }

  /** A comment would not keep clients waiting. Once an item is open, `in_progress` would reset what they have. */
  keepAlive(): string {
    if (this.native) return this.native.keepAlive();
    if (!this.isOpen) this.open();
    else if (this.items.count === 0) this.writeResponse('in_progress', this.head.toText(IN_PROGRESS));
    else this.write('keepalive', {});
    return this.taken();
  }

  write(type: string, fields: object): void {
    this.open();
    const more = JSON.stringify(fields).slice(1);
    this.frame += `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.sequence++}${more === '}' ? '' : ','}${more}\n\n`;
  }

  piece(type: string, place: string, delta: string): void {
    this.frame += `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.sequence++},${place},"delta":${JSON.stringify(delta)}}\n\n`;
  }

  private open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    const response = this.head.toText(IN_PROGRESS);
    this.writeResponse('created', response);
    this.writeResponse('in_progress', response);
  }

  private writeResponse(step: string, response: string): void {
    const type = `response.${step}`;
    this.frame += `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.sequence++},"response":${response}}\n\n`;
  }

  private taken(): string {
    const { frame } = this;
    this.frame = '';
    return frame;
  }
}
