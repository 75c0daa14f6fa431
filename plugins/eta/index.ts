import type { Anthropic } from '@anthropic-ai/sdk';
import type { Call, ChatRequest, DriverContext, DriverFailure, HttpResponse, RequestOrigin } from 'drivebay/plugin';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '../_shared/fields';
import type { Advice } from '../_shared/http/explain-error';
import { HttpDriver, type HttpOptions, type ModelPage, offeredModel } from '../_shared/http/http-driver';
import { type LeftOut, Refusals } from '../_shared/http/refusals';
import type { AnswerReader } from '../_shared/http/answer-reader';
import { wishParts, withWishes } from '../_shared/http/wishes';
import { countIn, postBody } from '../_shared/sdk/exchange';
import { clientOptions, SdkClient } from '../_shared/sdk/sdk-client';
import { keyHeaders, resolveEndpoint, SAMPLING_VERSION } from './endpoint';
import { toFaithfulBody } from './faithful-body';
import { MessageReader } from './message-reader';
import { ESSENTIAL, REFUSALS } from './refusals';
import { isSampling, type RequestBody, toRequestBody } from './request-body';
import { Thoughts } from './thoughts';
import { adviceOn } from './vendor-error';

const CHAT_PATH = '/v1/messages';
const COUNT_PATH = '/v1/messages/count_tokens';
const VERSION_HEADER = 'anthropic-version';
/** Fields that only an answer needs. */
const NOT_COUNTED = [
  ...['max_tokens', 'stream', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'metadata', 'service_tier'],
  ...['container', 'inference_geo'],
];
/** The vendor gives no more models at once. */
const PAGE_SIZE = '1000';

/** Sends by the SDK, reads by itself. */
class EtaDriver extends HttpDriver {
  protected readonly nameRule = { longest: 128, valid: /^[a-zA-Z0-9_-]+$/ };
  private readonly endpoint = resolveEndpoint(this.context.options.base_url);
  private readonly refusals = new Refusals(REFUSALS, ESSENTIAL);
  private readonly thoughts = new Thoughts();
  /** The SDK takes 120 ms and 18 MB to load. */
  private readonly sdk = new SdkClient(this.context, /^ANTHROPIC_/, async () => {
    const { Anthropic: Client } = await import('@anthropic-ai/sdk');
    const { base, query } = this.endpoint;
    return (apiKey) => new Client({ ...clientOptions(apiKey, base, query), openTelemetry: false });
  });

  protected async send(request: ChatRequest, call: Call, ignored: string[]): Promise<HttpResponse> {
    const client = await this.sdk.get();
    return this.refusals.send(request.model ?? '', call, ignored, (without, left) => {
      const { body, parts } = this.bodyOf(request, without, left);
      return { parts: () => parts, send: () => this.post(client, CHAT_PATH, body, headersOf(request), call) };
    });
  }

  protected readerFor(): AnswerReader {
    return new MessageReader(this.makeError, this.thoughts);
  }

  protected override isNative(request: ChatRequest): boolean {
    return originOf(request) !== undefined;
  }

  /** What the vendor counts, for a conversation in its own wire or in any other. */
  async countTokens(request: ChatRequest, call: Call): Promise<number> {
    const { body } = this.bodyOf(request, new Map(), []);
    for (const name of NOT_COUNTED) delete body[name];
    const client = await this.sdk.get();
    return countIn(await this.post(client, COUNT_PATH, body, headersOf(request), call), this.context);
  }

  private bodyOf(request: ChatRequest, without: LeftOut, ignored: string[]): RequestBody {
    const { thoughts, makeError } = this;
    const origin = originOf(request);
    if (origin) return toFaithfulBody(request, origin.body, { without, makeError, isVendor: this.endpoint.isVendor });
    const fitting = withWishes(request, without, ignored, makeError);
    const { body, parts } = toRequestBody(fitting, { without, thoughts, makeError, ignored });
    return { body, parts: { ...wishParts(fitting), ...body, ...parts } };
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
  private post(
    client: Anthropic,
    path: string,
    body: Fields,
    theirs: Record<string, string>,
    call: Call,
  ): Promise<HttpResponse> {
    const version = theirs[VERSION_HEADER] ?? (isSampling(body) ? SAMPLING_VERSION : undefined);
    const headers = { ...keyHeaders(client.apiKey!, this.endpoint.isVendor, version), ...theirs };
    return postBody(this.context, client, { path, body, headers }, call);
  }
}

/** The request in the vendor's wire, where its client speaks it. */
function originOf({ origin }: ChatRequest): RequestOrigin | undefined {
  return origin?.api === 'messages' ? origin : undefined;
}

/** The client's version of the API, and the betas that some of its fields need. */
function headersOf(request: ChatRequest): Record<string, string> {
  const sent = originOf(request)?.headers ?? {};
  return Object.fromEntries(
    [VERSION_HEADER, 'anthropic-beta'].flatMap((name) => (sent[name] ? [[name, sent[name]]] : [])),
  );
}

export default function createDriver(context: DriverContext<HttpOptions>): EtaDriver {
  return new EtaDriver(context);
}
