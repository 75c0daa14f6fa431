import type { ChatRequest } from '../contract/api';
import { ABOUT, weighChat, weighValue } from '../prices/weigh-request';
import type { Used } from '../providers/caller';
import { sendJson } from '../serving/send';
import { clientGone } from './abort-on-leave';
import { noteOverhead } from './answer-headers';
import type { CallContext, DialectCall, UnroutedContext } from './dialect';

const NOTHING_USED: Used = { usage: undefined, model: undefined, costUsd: 0 };

/** A request for a count, as a dialect reads and answers it. */
export interface CountForm {
  /** As the client named it; empty where it named none. */
  readonly model: string;
  /** Undefined: the request is none that a driver could count. */
  readonly chat: ChatRequest | undefined;
  /** What is weighed in its place. */
  readonly otherwise?: string;
  toBody(tokens: number): object;
}

/** Counts the tokens of a request. It starts nothing, and a backend that fails to count is no failure of the request. */
export class CountCall implements DialectCall {
  readonly isStream = false;
  readonly isFree = true;

  constructor(private readonly form: CountForm) {}

  get model(): string {
    return this.form.model;
  }

  async run({ device, model, caller, ...context }: CallContext): Promise<Used> {
    const { chat } = this.form;
    if (chat && model !== undefined) chat.model = model;
    context.own.pause();
    const counted = chat && (await device.countTokens?.(chat, caller.abort.signal));
    context.own.resume();
    if (context.response.destroyed) throw clientGone();
    return this.answer(context, counted ?? this.estimate());
  }

  runUnrouted(context: UnroutedContext): Promise<Used> {
    return Promise.resolve(this.answer(context, this.estimate()));
  }

  fail(): void {}

  /** For backends that cannot count. */
  private estimate(): number {
    const { chat, otherwise } = this.form;
    return chat ? weighChat(chat, ABOUT) : weighValue(otherwise, ABOUT);
  }

  private answer({ response, headers, own }: UnroutedContext, tokens: number): Used {
    noteOverhead(headers, own);
    sendJson(response, 200, this.form.toBody(tokens), headers);
    return NOTHING_USED;
  }
}
