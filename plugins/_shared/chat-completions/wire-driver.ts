import type { Call, ChatRequest, DriverContext, DriverFailure, EmbeddingAnswer, EmbeddingRequest, ErrorKind, HttpResponse } from 'drivebay/plugin'; // prettier-ignore
import { fieldsOf, isFields, textOf } from '../fields';
import { overflowAdvice } from '../http/context-overflow';
import { errorIn, type Advice } from '../http/explain-error';
import { HttpDriver, type HttpOptions, type ModelPage, NO_SUCH_API, offeredModel } from '../http/http-driver';
import type { AnswerReader } from '../http/answer-reader';
import type { NameRule } from '../tool-names';
import { CompletionReader } from './completion-reader';
import { readEmbeddings } from './embeddings';
import { resolveEndpoint, type Endpoint } from './endpoint';

const KINDS = new Map<string, ErrorKind>([
  ['insufficient_quota', 'usage_limit'],
  ['model_not_found', 'model_unavailable'],
  ['server_is_overloaded', 'overloaded'],
]);

/** The base of every driver of this wire. Each driver sends requests in its own way. */
export abstract class WireDriver<Options extends HttpOptions = HttpOptions> extends HttpDriver<Options> {
  protected readonly nameRule: NameRule = { longest: 64, valid: /^[a-zA-Z0-9_-]+$/ };
  protected readonly endpoint: Endpoint;

  constructor(context: DriverContext<Options>) {
    super(context);
    this.endpoint = resolveEndpoint(context.options.base_url);
  }

  async embed(request: EmbeddingRequest, call: Call): Promise<EmbeddingAnswer> {
    try {
      const ignored: string[] = [];
      const response = await this.sendEmbedding(request, call, ignored);
      const answer = readEmbeddings(await response.json(), request.input.length, this.makeError);
      return ignored.length > 0 ? { ...answer, ignored } : answer;
    } catch (error) {
      throw this.explain(error as DriverFailure, this.endpoint.embeddings, request.model);
    }
  }

  /** Sends the request; resolves with an answer of a good status. Names of fields without effect go into `ignored`. */
  protected abstract sendEmbedding(request: EmbeddingRequest, call: Call, ignored: string[]): Promise<HttpResponse>;

  protected readerFor({ choices = 1, origin, tools }: ChatRequest, _response?: HttpResponse): AnswerReader {
    return new CompletionReader(Math.max(1, choices), this.makeError, origin !== undefined, tools !== undefined);
  }

  protected chatUrl(): URL {
    return this.endpoint.chat;
  }

  protected listUrl(): URL {
    return this.endpoint.models;
  }

  protected override usualListUrl(): URL | undefined {
    const { origin, pathname } = this.endpoint.models;
    const usual = new URL('/v1/models', origin);
    return usual.pathname === pathname ? undefined : usual;
  }

  protected readModels(answer: unknown): ModelPage | undefined {
    const list = Array.isArray(answer) ? answer : isFields(answer) ? (answer.data ?? answer.models) : undefined;
    if (!Array.isArray(list)) return undefined;
    // Servers agree on the names of models, and not on that of their windows.
    const models = list.map(fieldsOf).flatMap((entry) => {
      const { context_length, context_window, max_context_length, max_model_len } = entry;
      const windows = [context_length, context_window, max_context_length, max_model_len];
      return offeredModel(textOf(entry.id) ?? textOf(entry.name), ...windows);
    });
    return { models };
  }

  protected adviceOn(failure: DriverFailure, url: URL): Advice {
    const { answer } = failure;
    const kind = KINDS.get(textOf(errorIn(answer).code) ?? '');
    return overflowAdvice(failure) ?? { kind, hint: kind ? undefined : this.hintOn(failure, url) };
  }

  /** Most servers that chat make no embeddings, and then know nothing of their path. */
  private hintOn({ status, message }: DriverFailure, { origin, pathname }: URL): string | undefined {
    if (pathname !== this.endpoint.embeddings.pathname || !NO_SUCH_API.has(status) || /model/i.test(message))
      return undefined;
    return `the server seems to make no embeddings: ask another provider, or check base_url (the request went to ${origin}${pathname})`;
  }
}
