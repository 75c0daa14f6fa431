import type { Anthropic } from '@anthropic-ai/sdk';
import type {
  Call,
  ChatEvent,
  ChatRequest,
  CheckResult,
  Driver,
  DriverContext,
  DriverFailure,
  HttpResponse,
} from 'drivebay/plugin';
import { isFields } from '../_shared/chat-completions/fields';
import { isStream } from '../_shared/chat-completions/is-stream';
import { requireHeaderKey } from '../_shared/sdk/header-key';
import { PerModel } from '../_shared/sdk/per-model';
import { findAnswerError } from './answer-error';
import { AnswerReader } from './answer-reader';
import { resolveEndpoint, type Endpoint } from './endpoint';
import { Exchange } from './exchange';
import { explainError } from './explain-error';
import { keyHeaders, SAMPLING_VERSION } from './key-headers';
import { learnFromRefusal } from './learn-from-refusal';
import { makeClient } from './make-client';
import { Habits } from './model-habits';
import { type ModelPage, readModelPage } from './model-list';
import type { Options } from './options';
import { type Concessions, isSampling, type RequestBody, toRequestBody } from './request-body';
import { StreamReader } from './stream-reader';
import { Thoughts } from './thoughts';

/** A proxy without a model list can still chat. */
const NO_LIST_STATUS = new Set([404, 405, 501]);
const PAGE_LIMIT = 20;

/** Sends by the SDK, reads by itself: the SDK takes an answer that was cut short for a complete one. */
export class EtaDriver implements Driver {
  private readonly endpoint: Endpoint;
  private readonly habits = new PerModel(() => new Habits());
  private readonly thoughts = new Thoughts();
  private client: Anthropic | undefined;
  private readonly makeError: DriverContext['error'] = (...parts) => this.context.error(...parts);

  constructor(private readonly context: DriverContext<Options>) {
    this.endpoint = resolveEndpoint(context.options.base_url);
  }

  async *chat(request: ChatRequest, call: Call): AsyncGenerator<ChatEvent, void, undefined> {
    const { response, ignored } = await this.send(request, call);
    const reader = new AnswerReader(this.makeError, this.thoughts);
    const stream = isStream(request.stream, response.headers['content-type'])
      ? new StreamReader(response, reader, this.makeError)
      : undefined;
    try {
      if (ignored.length > 0) yield { type: 'meta', ignored };
      if (!stream) for (const event of await this.readWhole(response, reader)) yield event;
      for (let events = await stream?.next(); events; events = await stream?.next()) {
        for (const event of events) yield event;
      }
    } catch (error) {
      throw this.explain(error as DriverFailure, this.address, request.model);
    } finally {
      if (stream) stream.stop();
      else response.discard();
    }
  }

  async check(call: Call): Promise<CheckResult> {
    const response = await this.getModels(this.endpoint.models, call);
    if (NO_LIST_STATUS.has(response.status)) {
      response.discard();
      return { detail: 'reachable, offers no model list' };
    }
    const page = await this.readPage(response);
    if (!page) return { warnings: [`${this.endpoint.models.href} is no model list: check base_url`] };
    const count = `${page.names.length}${page.after === undefined ? '' : ' or more'}`;
    return { detail: count === '1' ? '1 model' : `${count} models` };
  }

  async models(call: Call): Promise<string[]> {
    const names: string[] = [];
    const url = new URL(this.endpoint.models);
    url.searchParams.set('limit', '1000');
    for (let pages = 0; pages < PAGE_LIMIT; pages += 1) {
      const page = await this.readPage(await this.getModels(url, call));
      names.push(...(page?.names ?? []));
      if (page?.after === undefined) break;
      url.searchParams.set('after_id', page.after);
    }
    return names;
  }

  private async send(request: ChatRequest, call: Call): Promise<{ response: HttpResponse; ignored: string[] }> {
    const key = this.key();
    const model = request.model ?? '';
    const habits = this.habits.of(model);
    const without: Concessions = { thoughts: false, breakpoints: false };
    const { thoughts, makeError } = this;
    for (;;) {
      const sent = toRequestBody(request, { habits, thoughts, makeError, without });
      const exchange = new Exchange(call.signal);
      try {
        return { response: await this.post(sent, key, exchange), ignored: sent.ignored };
      } catch (error) {
        const failure = (exchange.failure ?? error) as DriverFailure;
        const learned = learnFromRefusal(failure, sent, habits, without);
        if (learned === undefined) throw this.explain(failure, this.address, model);
        call.log.info(`model "${model}" does not take ${learned}: asking again without`);
      }
    }
  }

  /** Not `messages.create`, which makes headers of some of the client's fields and talks to the console. */
  private async post({ body }: RequestBody, key: string, exchange: Exchange): Promise<HttpResponse> {
    const version = isSampling(body) ? SAMPLING_VERSION : undefined;
    await this.clientOf(key)
      .post('/v1/messages', {
        body,
        headers: keyHeaders(key, this.endpoint.isVendor, version),
        fetchOptions: exchange.toFetchOptions(),
      })
      .asResponse();
    return exchange.response!;
  }

  private async readWhole(response: HttpResponse, reader: AnswerReader): Promise<ChatEvent[]> {
    const message = await response.json();
    if (!isFields(message)) throw this.makeError('protocol', 'the answer is JSON, but no object');
    const error = findAnswerError(message, this.makeError);
    if (error) throw error;
    const events: ChatEvent[] = [];
    reader.readWhole(message, events);
    return events;
  }

  /** Without the SDK: a check must not wait for it to load. */
  private async getModels(url: URL, { signal }: Call): Promise<HttpResponse> {
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'drivebay' };
    for (const [name, value] of Object.entries(keyHeaders(this.key(), this.endpoint.isVendor, SAMPLING_VERSION))) {
      if (value !== null) headers[name.toLowerCase()] = value;
    }
    return this.context.http.request(url, { headers, signal });
  }

  private async readPage(response: HttpResponse): Promise<ModelPage | undefined> {
    if (response.status < 200 || response.status >= 300) {
      throw this.explain(await response.error(), this.endpoint.models);
    }
    try {
      return readModelPage(JSON.parse(await response.text()));
    } catch (error) {
      if ((error as Error).name === 'SyntaxError') return undefined;
      throw error;
    }
  }

  private explain(failure: DriverFailure, url: URL, model?: string): Error {
    return explainError(this.context, failure, url, model);
  }

  private get address(): URL {
    return new URL(`${this.endpoint.base}/v1/messages`);
  }

  private key(): string {
    return requireHeaderKey(this.context);
  }

  /** The key is looked up at each call: a new one makes a new client. */
  private clientOf(key: string): Anthropic {
    if (this.client?.apiKey !== key) this.client = makeClient(this.context.http, this.endpoint, key);
    return this.client;
  }
}
