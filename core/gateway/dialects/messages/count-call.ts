import type { IncomingHttpHeaders } from 'node:http';
import type { ChatRequest } from '../../../contract/api';
import { isFields } from '../../../fields';
import type { Used } from '../../../providers/caller';
import { sendJson } from '../../../serving/send';
import type { Carriers } from '../../carriers';
import { noteOverhead } from '../../answer-headers';
import type { CallContext, DialectCall, UnroutedContext } from '../../dialect';
import { readJson } from '../../read-fields';
import { estimateTokens } from './estimate';
import { parseRequest } from './parse-request';

const NOTHING_USED: Used = { usage: undefined, model: undefined, costUsd: 0 };

/**
 * Counts the tokens of a request. It never fails and starts nothing: for each count that it does not get, a program asks
 * a model instead, which costs money.
 */
export class CountCall implements DialectCall {
  readonly model: string;
  readonly isStream = false;
  private readonly body: Record<string, unknown>;

  constructor(
    private readonly bytes: Buffer,
    private readonly wireHeaders: IncomingHttpHeaders,
    private readonly carriers: Carriers,
  ) {
    const value = readJson(bytes);
    this.body = isFields(value) ? value : {};
    this.model = typeof this.body.model === 'string' ? this.body.model : '';
  }

  async run({ device, model, ...context }: CallContext): Promise<Used> {
    const chat = device.countTokens ? this.readChat() : undefined;
    if (chat && model !== undefined) chat.model = model;
    context.own.pause();
    const counted = chat && (await device.countTokens!(chat));
    context.own.resume();
    return this.answer(context, counted ?? estimateTokens(this.body));
  }

  runUnrouted(context: UnroutedContext): Promise<Used> {
    return Promise.resolve(this.answer(context, estimateTokens(this.body)));
  }

  fail(): void {}

  private answer({ response, headers, own }: UnroutedContext, tokens: number): Used {
    noteOverhead(headers, own);
    sendJson(response, 200, { input_tokens: tokens }, headers);
    return NOTHING_USED;
  }

  /** Undefined where the request is none that a driver could count. */
  private readChat(): ChatRequest | undefined {
    try {
      return parseRequest(this.bytes, this.wireHeaders, this.carriers, true).chat;
    } catch {
      return undefined;
    }
  }
}
