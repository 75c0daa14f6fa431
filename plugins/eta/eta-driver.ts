import type { Anthropic } from '@anthropic-ai/sdk';
import type { Call, ChatEvent, ChatRequest, CheckResult, Driver, DriverContext, DriverFailure, HttpResponse } from 'drivebay/plugin'; // prettier-ignore
import { isStream } from '../_shared/chat-completions/is-stream';
import { requireHeaderKey } from '../_shared/sdk/header-key';
import { ModelList } from '../_shared/sdk/model-list';
import { PerModel } from '../_shared/sdk/per-model';
import { AnswerReader } from './answer-reader';
import { resolveEndpoint, type Endpoint } from './endpoint';
import { Exchange } from './exchange';
import { explainError } from './explain-error';
import { keyHeaders, SAMPLING_VERSION } from './key-headers';
import { learnFromRefusal } from './learn-from-refusal';
import { makeClient } from './make-client';
import { Habits } from './model-habits';
import { makeListing } from './model-listing';
import type { Options } from './options';
import { readAnswer } from './read-answer';
import { type Concessions, isSampling, type RequestBody, toRequestBody } from './request-body';
import { StreamReader } from './stream-reader';
import { Thoughts } from './thoughts';

/** Sends by the SDK, reads by itself: the SDK takes an answer that was cut short for a complete one. */
export class EtaDriver implements Driver {
  private readonly endpoint: Endpoint;
  private readonly list: ModelList;
  private readonly habits = new PerModel(() => new Habits());
  private readonly thoughts = new Thoughts();
  private client: Anthropic | undefined;
  private readonly makeError: DriverContext['error'] = (...parts) => this.context.error(...parts);

  constructor(private readonly context: DriverContext<Options>) {
    this.endpoint = resolveEndpoint(context.options.base_url);
    this.list = new ModelList(context.http, makeListing(context, this.endpoint));
  }

  async *chat(request: ChatRequest, call: Call): AsyncGenerator<ChatEvent, void, undefined> {
    const { response, ignored } = await this.send(request, call);
    const reader = new AnswerReader(this.makeError, this.thoughts);
    const stream = isStream(request.stream, response.headers['content-type'])
      ? new StreamReader(response, reader, this.makeError)
      : undefined;
    try {
      if (ignored.length > 0) yield { type: 'meta', ignored };
      if (!stream) for (const event of await readAnswer(response, reader, this.makeError)) yield event;
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

  check(call: Call): Promise<CheckResult> {
    return this.list.check(call);
  }

  models(call: Call): Promise<string[]> {
    return this.list.names(call);
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
