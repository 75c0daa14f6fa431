import type { Call, ChatRequest, FetchResponse } from 'drivebay/plugin';
import type { OpenAI } from 'openai';
import type { WireAnswer } from '../_shared/chat-completions/answer';
import type { Fields } from '../_shared/fields';
import { toRequestFields, type Dialect } from '../_shared/chat-completions/request-fields';
import { WireDriver } from '../_shared/chat-completions/wire-driver';
import { carriedFailure } from '../_shared/sdk/carried-failure';
import { requireHeaderKey } from '../_shared/sdk/header-key';
import { makeClient } from './make-client';
import type { Options } from './options';
import { readRefusal } from './refusal';
import { RefusedFields } from './refused-fields';

type Body = OpenAI.ChatCompletionCreateParams;

/** The vendor's own spelling. Its reasoning never leaves it as text, and it takes none back. */
const DIALECT: Dialect = {
  includeUsage: true,
  limitName: 'max_completion_tokens',
  developerRole: 'developer',
  takesReasoning: false,
};

/** The SDK's own limit must never be the first to fire: that is the call's signal. A longer timer fires at once. */
const LONGER_MS = 5_000;
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Sends by the SDK, reads by itself: the SDK's iterator costs twice as much per chunk as the shared reader, and takes an
 * answer that was cut short for a complete one.
 */
export class EpsilonDriver extends WireDriver<Options> {
  private readonly refused = new RefusedFields();
  private client: OpenAI | undefined;

  protected async send(request: ChatRequest, call: Call, ignored: string[]): Promise<WireAnswer> {
    const model = request.model ?? '';
    const fields = toRequestFields(request, DIALECT);
    if (request.messages.some(({ parts }) => parts.some(({ type }) => type === 'reasoning'))) {
      ignored.push('reasoning_content');
    }
    for (;;) {
      const left: string[] = [];
      const body = this.refused.fit(model, fields, left);
      try {
        const answer = await this.post(body, call);
        ignored.push(...left);
        return answer;
      } catch (error) {
        const failure = carriedFailure(error);
        const refusal = failure && readRefusal(failure);
        // Every round leaves one field more out, so this comes to an end.
        if (!refusal || !this.refused.learn(model, body, refusal)) {
          throw this.explainSdk(failure ?? error, call, model);
        }
        call.log.info(`model "${model}" does not take ${refusal.field}: asking again without it`);
      }
    }
  }

  protected key(): string {
    return requireHeaderKey(this.context);
  }

  private explainSdk(error: unknown, { signal }: Call, model: string): Error {
    if (signal.aborted) return this.context.error('canceled', 'the request was canceled', { cause: signal.reason });
    if (carriedFailure(error)) return this.explain(this.endpoint.chat, error, model);
    return this.context.error('upstream', `the SDK failed: ${(error as Error).message}`, { cause: error });
  }

  private async post(body: Fields, { signal, deadline }: Call): Promise<WireAnswer> {
    const timeout = Math.min(Math.max(0, deadline - Date.now()) + LONGER_MS, LONGEST_MS);
    // The SDK hands the response over that its fetch gave it.
    const sent = this.clientOf(this.key())
      .chat.completions.create(body as unknown as Body, { signal, timeout })
      .asResponse();
    const response = (await sent) as FetchResponse;
    return {
      contentType: response.headers.get('content-type') ?? '',
      events: () => response.events(),
      json: () => response.json(),
    };
  }

  /** The key is looked up at each call: a new one makes a new client. */
  private clientOf(key: string): OpenAI {
    if (this.client?.apiKey !== key) this.client = makeClient(this.context.http, this.endpoint.base, key);
    return this.client;
  }
}
