import type { Call, ChatEvent, ChatRequest, CheckResult, Driver, DriverContext, DriverFailure, HttpResponse, OfferedModel } from 'drivebay/plugin'; // prettier-ignore
import { countOf } from '../fields';
import { AnswerEvents, type OpenAnswer } from './answer-events';
import { isStream, type AnswerReader } from './answer-reader';
import { explainError, type Advice, type MakeError } from './explain-error';
import { type NameRule, ToolNames } from '../tool-names';

/** The options that the drivers of this folder have in common. Budget and effort come with each request as well. */
export interface HttpOptions {
  base_url: string;
  api_key_env?: string;
  thinking_budget?: number;
  reasoning_effort?: string;
}

export interface ModelPage {
  models: OfferedModel[];
  next?: string;
}

/** What a server says that has no model list, or another part of an API. It can still chat. */
export const NO_SUCH_API: ReadonlySet<number | undefined> = new Set([404, 405, 501]);
/** A page has up to a thousand models: a longer list has no end. */
const PAGE_LIMIT = 20;

/** The base of every driver of an HTTP API: reads answers, explains errors, lists models. */
export abstract class HttpDriver<Options extends HttpOptions = HttpOptions> implements Driver {
  /** What the vendor takes as the name of a tool. Other names are replaced on the way there, and restored on the way back. */
  protected abstract readonly nameRule: NameRule;
  protected readonly makeError: MakeError = (...parts) => this.context.error(...parts);

  constructor(protected readonly context: DriverContext<Options>) {}

  /** Sends the request; resolves with an answer of a good status. Names of fields without effect go into `ignored`. */
  protected abstract send(request: ChatRequest, call: Call, ignored: string[]): Promise<HttpResponse>;
  /** `response` is the answer that the reader will read. */
  protected abstract readerFor(request: ChatRequest, response: HttpResponse): AnswerReader;
  /** The address of chat requests, for hints. */
  protected abstract chatUrl(model?: string): URL;
  /** The address of a page of the model list; without a token, of the first page. */
  protected abstract listUrl(token?: string): URL;
  /** The headers with the key. Throws where the key is missing. */
  protected abstract keyHeaders(): Record<string, string>;
  /** Undefined when the answer is no model list. */
  protected abstract readModels(answer: unknown): ModelPage | undefined;
  protected abstract adviceOn(failure: DriverFailure, url: URL): Advice;

  chat(request: ChatRequest, call: Call): AsyncIterable<ChatEvent> {
    const { model } = request;
    return new AnswerEvents(this.open(request, call), this.makeError, (error) =>
      this.explain(error as DriverFailure, this.chatUrl(model), model),
    );
  }

  /** Apart from what reads the answer, which would keep the request as long. */
  private async open(asked: ChatRequest, call: Call): Promise<OpenAnswer> {
    const names = ToolNames.of(asked, this.nameRule);
    const request = names ? names.apply(asked) : asked;
    const ignored: string[] = [];
    const response = await this.send(request, call, ignored);
    const reader = this.readerFor(request, response);
    const isStreamed = isStream(request.stream, response.headers['content-type']);
    // A client that gets the other form than it asked for could not read the pieces.
    const isNative = isStreamed === request.stream && this.isNative(request, response);
    return { names, ignored, response, reader, isStreamed, isNative };
  }

  /** Whether the client of the request speaks the wire of the answer. */
  protected isNative(_request: ChatRequest, _response: HttpResponse): boolean {
    return false;
  }

  async check(call: Call): Promise<CheckResult> {
    const page = await this.modelPage(call);
    if (page === 'none') return this.findList(call);
    if (page) {
      const count = `${page.models.length}${page.next === undefined ? '' : ' or more'}`;
      return { detail: count === '1' ? '1 model' : `${count} models` };
    }
    // Proxies may have a key in the query.
    const { origin, pathname } = this.listUrl();
    return { warnings: [`${origin}${pathname} is no model list: check base_url`] };
  }

  /** A server may have no list of models. Or `base_url` has a path too many: then the list is where nearly every server has it. */
  private async findList(call: Call): Promise<CheckResult> {
    const usual = this.usualListUrl();
    const page = usual && (await this.modelPage(call, undefined, usual).catch(() => undefined));
    if (!page || page === 'none') return { detail: 'reachable, offers no model list' };
    const { origin, pathname } = this.listUrl();
    const base = usual.href.replace(/\/models$/, '');
    return { warnings: [`${origin}${pathname} does not exist, ${usual.href} does: set base_url to ${base}`] };
  }

  /** Where servers of this wire have their model list, if that is not `listUrl`. */
  protected usualListUrl(): URL | undefined {
    return undefined;
  }

  async models(call: Call): Promise<OfferedModel[]> {
    const models: OfferedModel[] = [];
    let token: string | undefined;
    for (let pages = 0; pages < PAGE_LIMIT; pages += 1) {
      const page = await this.modelPage(call, token);
      if (!page || page === 'none') break;
      models.push(...page.models);
      token = page.next;
      if (token === undefined) break;
    }
    return models;
  }

  /** Not by the SDK, so that a check does not have to load it. */
  private async modelPage(
    call: Call,
    token?: string,
    url = this.listUrl(token),
  ): Promise<ModelPage | 'none' | undefined> {
    const headers = { accept: 'application/json', 'user-agent': 'drivebay', ...this.keyHeaders() };
    try {
      const response = await this.context.http.request(url, { headers, call });
      if (NO_SUCH_API.has(response.status)) {
        response.discard();
        return 'none';
      }
      if (!isSuccess(response)) throw await response.error();
      return this.readModels(await response.json());
    } catch (error) {
      const failure = error as DriverFailure;
      // Only a web page has a hint here: base_url leads to something that is no API at all.
      const isOther = failure.hint === undefined && (failure.cause as Error | undefined)?.name === 'SyntaxError';
      if (isOther) return undefined;
      throw this.explain(failure, url);
    }
  }

  protected explain(failure: DriverFailure, url: URL, model?: string): Error {
    return explainError(this.context, failure, this.adviceOn(failure, url), url, model);
  }
}

export function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

/** A model of a list, with the first of these counts of tokens as its context window. */
export function offeredModel(name: string | undefined, ...windows: unknown[]): OfferedModel[] {
  if (name === undefined) return [];
  const contextWindow = windows.map(countOf).find(Boolean);
  return [contextWindow === undefined ? { name } : { name, contextWindow }];
}
