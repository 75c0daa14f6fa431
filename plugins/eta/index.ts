import type { Anthropic } from '@anthropic-ai/sdk';
import type { Call, ChatRequest, DriverContext, DriverFailure, HttpResponse } from 'drivebay/plugin';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '../_shared/fields';
import type { Advice } from '../_shared/http/explain-error';
import { HttpDriver, type HttpOptions, type ModelPage } from '../_shared/http/http-driver';
import { Refusals } from '../_shared/http/refusals';
import { Exchange, exchangingFetch } from '../_shared/sdk/exchange';
import { SdkClient, withoutVariables } from '../_shared/sdk/sdk-client';
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
  private readonly sdk = new SdkClient(this.context, (key) => this.makeClient(key));

  protected async send(request: ChatRequest, { signal, log }: Call, ignored: string[]): Promise<HttpResponse> {
    const client = await this.sdk.get();
    const { thoughts, makeError } = this;
    let left: string[] = [];
    const response = await this.refusals.send(request.model ?? '', log, (without) => {
      const { body, parts, ignored: names } = toRequestBody(request, { without, thoughts, makeError });
      left = names;
      return { parts: () => ({ ...body, ...parts }), send: () => this.post(client, body, signal) };
    });
    ignored.push(...left);
    return response;
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
    const headers = Object.entries(keyHeaders(this.sdk.key(), this.endpoint.isVendor, SAMPLING_VERSION));
    return Object.fromEntries(
      headers.flatMap(([name, value]) => (value === null ? [] : [[name.toLowerCase(), value]])),
    );
  }

  protected readModels(answer: unknown): ModelPage | undefined {
    if (!isFields(answer) || !Array.isArray(answer.data)) return undefined;
    const names = listOf(answer.data).flatMap((entry) => textOf(fieldsOf(entry).id) ?? []);
    return { names, next: answer.has_more === true ? textOf(answer.last_id) : undefined };
  }

  protected adviceOn(failure: DriverFailure): Advice {
    return adviceOn(failure, this.context.options.api_key_env);
  }

  /** Not `messages.create`, which makes headers of some of the client's fields and talks to the console. */
  private post(client: Anthropic, body: Fields, signal: AbortSignal): Promise<HttpResponse> {
    const version = isSampling(body) ? SAMPLING_VERSION : undefined;
    const headers = keyHeaders(client.apiKey!, this.endpoint.isVendor, version);
    return Exchange.run(this.context, signal, ({ fetchOptions }) =>
      client.post('/v1/messages', { body, headers, fetchOptions }).asResponse(),
    );
  }

  /** The SDK takes 120 ms and 18 MB to load. Its retries are off, because repeating is the HTTP layer's business. */
  private async makeClient(apiKey: string): Promise<Anthropic> {
    const { Anthropic: Client } = await import('@anthropic-ai/sdk');
    const { base, query } = this.endpoint;
    return withoutVariables(
      /^ANTHROPIC_/,
      () =>
        new Client({
          apiKey,
          baseURL: base,
          defaultQuery: Object.fromEntries(query),
          fetch: exchangingFetch,
          maxRetries: 0,
          logLevel: 'off',
          openTelemetry: false,
        }),
    );
  }
}

export default function createDriver(context: DriverContext<HttpOptions>): EtaDriver {
  return new EtaDriver(context);
}
