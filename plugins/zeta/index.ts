import type { Call, ChatRequest, DriverContext, DriverFailure, EmbeddingAnswer, EmbeddingRequest, HttpResponse } from 'drivebay/plugin'; // prettier-ignore
import type { GoogleGenAI } from '@google/genai';
import { isFields, textOf, type Fields } from '../_shared/fields';
import type { Advice } from '../_shared/http/explain-error';
import { HttpDriver, type HttpOptions, type ModelPage, offeredModel } from '../_shared/http/http-driver';
import { Refusals } from '../_shared/http/refusals';
import { wishParts, withWishes } from '../_shared/http/wishes';
import { exchange } from '../_shared/sdk/exchange';
import { SdkClient } from '../_shared/sdk/sdk-client';
import { sumOf } from '../_shared/http/usage';
import { CallIds } from './call-marks';
import { readBatch, toBatches, toEmbeddingConfig, type Batch } from './embeddings';
import { modelsUrl, modelUrl, readBaseUrl, withQuery } from './endpoint';
import { NativeReader } from './native-reader';
import { toNativeRequest, withExtra, type NativeRequest } from './native-request';
import { REFUSALS } from './refusals';
import { adviceOn } from './vendor-error';

/** These characters would lead a request to another address. */
const NO_MODEL = /\.\.|[?&#%\\\s]/;
/** The vendor gives no more models at once. */
const PAGE_SIZE = '1000';

/** Sends by the SDK, reads by itself. */
class ZetaDriver extends HttpDriver {
  protected readonly nameRule = { longest: 64, valid: /^[a-zA-Z_][a-zA-Z0-9_.-]*$/ };
  private readonly endpoint = readBaseUrl(this.context.options.base_url);
  private readonly refusals = new Refusals(REFUSALS);
  /**
   * The SDK takes 70 ms and 19 MB to load. Without retry options it repeats nothing; with a key it looks for no other
   * credentials, neither in files nor on the network.
   */
  private readonly sdk = new SdkClient(this.context, /^(GOOGLE|GEMINI)_/, async () => {
    const { GoogleGenAI: Client } = await import('@google/genai');
    const { base, version } = this.endpoint;
    return (apiKey) => new Client({ apiKey, vertexai: false, apiVersion: version, httpOptions: { baseUrl: base } });
  });

  protected async send(request: ChatRequest, call: Call, ignored: string[]): Promise<HttpResponse> {
    const { model = '', stream } = request;
    this.checkModel(model);
    const client = await this.sdk.get();
    return this.refusals.send(model, call, ignored, (without, left) => {
      const fitting = withWishes(request, without, left, this.makeError);
      const native = toNativeRequest(fitting, without, left, this.makeError);
      return {
        parts: () => ({ ...native.parts, ...wishParts(fitting) }),
        send: () => this.post(client, native, stream, call),
      };
    });
  }

  async embed(request: EmbeddingRequest, call: Call): Promise<EmbeddingAnswer> {
    const { model = '' } = request;
    this.checkModel(model);
    const ignored: string[] = [];
    const config = toEmbeddingConfig(request, ignored);
    const batches: Batch[] = [];
    try {
      const { models } = await this.sdk.get();
      for (const contents of toBatches(request, this.makeError)) {
        const response = await exchange(this.context, call, (fetchOnce) => {
          const httpOptions = { fetch: this.sender(fetchOnce) };
          return models.embedContent({ model, contents, config: { ...config, httpOptions } });
        });
        batches.push(readBatch(await response.json(), contents.length, this.makeError));
      }
    } catch (error) {
      throw this.explain(error as DriverFailure, this.chatUrl(model), model);
    }
    const inputTokens = sumOf(...batches.map((batch) => batch.inputTokens));
    return { vectors: batches.flatMap(({ vectors }) => vectors), inputTokens, ignored };
  }

  private checkModel(model: string): void {
    if (!NO_MODEL.test(model)) return;
    throw this.makeError('invalid_request', 'the model name holds characters that no model has', { param: 'model' });
  }

  /** The `fetch` of one request, with what the SDK does not know about. */
  private sender(fetchOnce: typeof fetch, extra: Fields = {}): typeof fetch {
    return (url, init) => {
      const address = withQuery(url as string, this.endpoint.query);
      return fetchOnce(address, { ...init, body: withExtra(init?.body as string, extra) });
    };
  }

  /** Has the SDK build and send the request. Its own reading costs 28 µs for each piece and drops fields. */
  private post(
    { models }: GoogleGenAI,
    { parameters, extra }: NativeRequest,
    stream: boolean,
    call: Call,
  ): Promise<HttpResponse> {
    return exchange(this.context, call, (fetchOnce) => {
      const send = this.sender(fetchOnce, extra);
      // The continuation is on by default: the SDK would ask again by itself.
      const config = { ...parameters.config, httpOptions: { fetch: send }, automaticContinuation: false };
      if (stream) return models.generateContentStream({ ...parameters, config });
      return models.generateContent({ ...parameters, config });
    });
  }

  protected readerFor({ choices = 1, messages, origin }: ChatRequest): NativeReader {
    return new NativeReader(choices, this.makeError, new CallIds(messages), origin !== undefined);
  }

  protected chatUrl(model = ''): URL {
    return modelUrl(this.endpoint, model);
  }

  protected listUrl(token?: string): URL {
    const url = modelsUrl(this.endpoint);
    url.searchParams.set('pageSize', PAGE_SIZE);
    if (token !== undefined) url.searchParams.set('pageToken', token);
    return url;
  }

  protected keyHeaders(): Record<string, string> {
    return { 'x-goog-api-key': this.sdk.key() };
  }

  /** Without models that cannot chat. */
  protected readModels(answer: unknown): ModelPage | undefined {
    if (!isFields(answer) || !Array.isArray(answer.models)) return undefined;
    const entries = answer.models.filter(isFields).filter(({ supportedGenerationMethods: methods }) => {
      return !Array.isArray(methods) || methods.includes('generateContent');
    });
    const models = entries.flatMap(({ name, inputTokenLimit }) =>
      offeredModel(textOf(name)?.replace(/^models\//, ''), inputTokenLimit),
    );
    return { models, next: textOf(answer.nextPageToken) };
  }

  protected adviceOn(failure: DriverFailure): Advice {
    return adviceOn(failure);
  }
}

export default function createDriver(context: DriverContext<HttpOptions>): ZetaDriver {
  return new ZetaDriver(context);
}
