import type { Call, ChatEvent, ChatRequest, CheckResult, Driver, DriverContext, FetchResponse } from 'drivebay/plugin'; // prettier-ignore
import type { GoogleGenAI } from '@google/genai';
import { isStream } from '../_shared/chat-completions/is-stream';
import { carriedFailure } from '../_shared/sdk/carried-failure';
import { requireHeaderKey } from '../_shared/sdk/header-key';
import { ModelList } from '../_shared/sdk/model-list';
import { PerModel } from '../_shared/sdk/per-model';
import { AnswerReader } from './answer-reader';
import type { Signatures } from './contents';
import { modelUrl, readBaseUrl, type Endpoint } from './endpoint';
import { CallIds } from './call-id';
import { explainError } from './explain-error';
import { makeClient } from './make-client';
import { makeListing } from './model-listing';
import { newModelMemory } from './model-memory';
import { toNativeRequest } from './native-request';
import type { Options } from './options';
import { readAnswer } from './read-answer';
import { learn } from './refusal';
import { sendRequest } from './send-request';
import { StreamReader } from './stream-reader';

/** What would lead a request to another address. */
const NO_MODEL = /\.\.|[?&#%\\\s]/;

/** Sends by the SDK, reads by itself. */
export class ZetaDriver implements Driver {
  private readonly endpoint: Endpoint;
  private readonly list: ModelList;
  private readonly memories = new PerModel(newModelMemory);
  private client: { key: string; sdk: GoogleGenAI } | undefined;
  private readonly makeError: DriverContext['error'] = (...parts) => this.context.error(...parts);

  constructor(private readonly context: DriverContext<Options>) {
    this.endpoint = readBaseUrl(context.options.base_url);
    this.list = new ModelList(context.http, makeListing(context, this.endpoint));
  }

  async *chat(request: ChatRequest, call: Call): AsyncGenerator<ChatEvent, void, undefined> {
    const ignored: string[] = [];
    const response = await this.send(request, call, ignored);
    if (ignored.length > 0) yield { type: 'meta', ignored };
    const reader = new AnswerReader(request.choices ?? 1, this.makeError, new CallIds(request.messages));
    if (!isStream(request.stream, response.headers.get('content-type') ?? '')) {
      for (const event of await readAnswer(response, reader, this.makeError)) yield event;
      return;
    }
    const stream = new StreamReader(response.events(), reader, this.makeError);
    try {
      for (let events = await stream.next(); events; events = await stream.next()) {
        for (const event of events) yield event;
      }
    } finally {
      stream.stop();
    }
  }

  check(call: Call): Promise<CheckResult> {
    return this.list.check(call);
  }

  models(call: Call): Promise<string[]> {
    return this.list.names(call);
  }

  /** Asks again for as long as the vendor refuses something that can be left out; each time there is less of it. */
  private async send(request: ChatRequest, call: Call, ignored: string[]): Promise<FetchResponse> {
    const { model = '', stream } = request;
    if (NO_MODEL.test(model)) {
      throw this.makeError('invalid_request', 'the model name holds characters that no model has', { param: 'model' });
    }
    const client = this.clientOf(this.key());
    const memory = this.memories.of(model);
    let signatures: Signatures = memory.wantsSignatures ? 'filled' : 'kept';
    for (;;) {
      const native = toNativeRequest(request, memory, signatures, this.makeError);
      const { query } = this.endpoint;
      try {
        const sending = { ...native, stream, query, signal: call.signal };
        const response = await sendRequest(client, this.context.http, sending);
        ignored.push(...native.ignored);
        return response;
      } catch (error) {
        const failure = carriedFailure(error);
        const next: Signatures | undefined = failure && learn(failure, { request, native, signatures }, memory);
        if (!failure || !next) throw this.explainSdk(failure ?? error, call, model);
        call.log.info(`asking "${model}" again without what it refused`, { refusal: failure.message });
        signatures = next;
      }
    }
  }

  private explainSdk(error: unknown, { signal }: Call, model: string): Error {
    if (signal.aborted) return this.makeError('canceled', 'the request was canceled', { cause: signal.reason });
    const failure = carriedFailure(error);
    if (failure) return explainError(this.context, modelUrl(this.endpoint, model), failure, model);
    return this.makeError('upstream', `the SDK failed: ${(error as Error).message}`, { cause: error });
  }

  private key(): string {
    return requireHeaderKey(this.context);
  }

  /** The key is looked up at each call: a new one makes a new client. */
  private clientOf(key: string): GoogleGenAI {
    if (this.client?.key !== key) this.client = { key, sdk: makeClient(this.endpoint, key) };
    return this.client.sdk;
  }
}
