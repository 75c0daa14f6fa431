import type { Anthropic } from '@anthropic-ai/sdk';
import type { Call, ChatRequest, DriverContext, DriverFailure, HttpResponse } from 'drivebay/plugin';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '../_shared/fields';
import type { Advice } from '../_shared/http/explain-error';
import { HttpDriver, type HttpOptions, type ModelPage, offeredModel } from '../_shared/http/http-driver';
import { Refusals } from '../_shared/http/refusals';
import { exchange, fetchOptions } from '../_shared/sdk/exchange';
import { clientOptions, SdkClient } from '../_shared/sdk/sdk-client';
import { keyHeaders, resolveEndpoint, SAMPLING_VERSION } from './endpoint';
import { MessageReader } from './message-reader';
import { ESSENTIAL, REFUSALS } from './refusals';
import { isSampling, toRequestBody } from './request-body';
import { Thoughts } from './thoughts';
import { adviceOn } from './vendor-error';

/** The vendor gives no more models at once. */
const PAGE_SIZE = '1000';

/** Sends by the SDK, reads by itself. */
class EtaDriver extends HttpDriver {
  private readonly endpoint = resolveEndpoint(this.context.options.base_url);
  private readonly refusals = new Refusals(REFUSALS, ESSENTIAL);
  private readonly thoughts = new Thoughts();
  /** The SDK takes 120 ms and 18 MB to load. */
  private readonly sdk = new SdkClient(this.context, /^ANTHROPIC_/, async () => {
    const { Anthropic: Client } = await import('@anthropic-ai/sdk');
    const { base, query } = this.endpoint;
    return (apiKey) => new Client({ ...clientOptions(apiKey, base, query), openTelemetry: false });
  });

  protected async send(request: ChatRequest, { signal, log }: Call, ignored: string[]): Promise<HttpResponse> {
    const client = await this.sdk.get();
    const { thoughts, makeError } = this;
    return this.refusals.send(request.model ?? '', log, ignored, (without, left) => {
      const { body, parts } = toRequestBody(request, { without, thoughts, makeError, ignored: left });
      return { parts: { ...body, ...parts }, send: () => this.post(client, body, signal) };
    });
  }

  protected readerFor(): MessageReader {
    return new MessageReader(this.makeError, this.thoughts);
  }

  protected chatUrl(): URL {
    return this.endpoint.chat;
  }

  protected listUrl(token?: string): URL {
    const url = new URL(this.endpoint.models);
    url.searchParams.set('limit', PAGE_SIZE);
    if (token !== undefined) url.searchParams.set('after_id', token);
    return url;
  }

  protected keyHeaders(): Record<string, string> {
    const key = this.sdk.key();
    const headers = { 'x-api-key': key, 'anthropic-version': SAMPLING_VERSION };
    return this.endpoint.isVendor ? headers : { ...headers, authorization: `Bearer ${key}` };
  }

  protected readModels(answer: unknown): ModelPage | undefined {
    if (!isFields(answer) || !Array.isArray(answer.data)) return undefined;
    const entries = listOf(answer.data).map(fieldsOf);
    const models = entries.flatMap(({ id, max_input_tokens: window }) => offeredModel(textOf(id), window));
    return { models, next: answer.has_more === true ? textOf(answer.last_id) : undefined };
  }

  protected adviceOn(failure: DriverFailure): Advice {
    return adviceOn(failure, this.context.options.api_key_env);
  }

  /** Not `messages.create`, which makes headers of some of the client's fields and talks to the console. */
  private post(client: Anthropic, body: Fields, signal: AbortSignal): Promise<HttpResponse> {
    const version = isSampling(body) ? SAMPLING_VERSION : undefined;
    const headers = keyHeaders(client.apiKey!, this.endpoint.isVendor, version);
    return exchange(this.context, signal, (fetchOnce) =>
      client.post('/v1/messages', { body, headers, fetchOptions: fetchOptions(fetchOnce) }).asResponse(),
    );
  }
}

export default function createDriver(context: DriverContext<HttpOptions>): EtaDriver {
  return new EtaDriver(context);
}
