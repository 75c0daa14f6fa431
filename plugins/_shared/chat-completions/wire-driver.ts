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
import type { WireAnswer } from './answer';
import { AnswerReader } from './answer-reader';
import { resolveEndpoint, type Endpoint } from './endpoint';
import { explainError } from './explain-error';
import { isStream } from './is-stream';
import { readModelList } from './model-list';
import type { Options } from './options';
import { readCompletion } from './read-completion';
import { StreamReader } from './stream-reader';

/** A server without a model list can still chat. */
const NO_LIST_STATUS = new Set([404, 405, 501]);

/** What is the same for every driver of this wire. How a request is sent is each driver's own. */
export abstract class WireDriver<Own extends Options = Options> implements Driver {
  protected readonly endpoint: Endpoint;
  protected readonly makeError: DriverContext['error'] = (...parts) => this.context.error(...parts);

  constructor(protected readonly context: DriverContext<Own>) {
    this.endpoint = resolveEndpoint(context.options.base_url);
  }

  /** Sends the request and resolves with an answer of a good status. `ignored` takes fields that had to be left out. */
  protected abstract send(request: ChatRequest, call: Call, ignored: string[]): Promise<WireAnswer>;

  /** The key to send; undefined for a server that needs none. */
  protected abstract key(): string | undefined;

  async *chat(request: ChatRequest, call: Call): AsyncGenerator<ChatEvent, void, undefined> {
    const ignored: string[] = [];
    const answer = await this.send(request, call, ignored);
    if (ignored.length > 0) yield { type: 'meta', ignored };
    const reader = new AnswerReader(Math.max(1, request.choices ?? 1), this.makeError);
    if (!isStream(request.stream, answer.contentType)) {
      for (const event of await readCompletion(answer, reader, this.makeError)) yield event;
      return;
    }
    const stream = new StreamReader(answer, reader, this.makeError);
    try {
      for (let events = await stream.next(); events; events = await stream.next()) {
        for (const event of events) yield event;
      }
    } finally {
      stream.stop();
    }
  }

  async check(call: Call): Promise<CheckResult> {
    const response = await this.get(call);
    if (NO_LIST_STATUS.has(response.status)) {
      response.discard();
      return { detail: 'reachable, offers no model list' };
    }
    const names = await this.readNames(response);
    if (names) return { detail: names.length === 1 ? '1 model' : `${names.length} models` };
    const { origin, pathname } = this.endpoint.models;
    return { warnings: [`${origin}${pathname} is no model list: check base_url`] };
  }

  async models(call: Call): Promise<string[]> {
    return (await this.readNames(await this.get(call))) ?? [];
  }

  /** Adds what the driver knows about an error. */
  protected explain(url: URL, error: unknown, model?: string): Error {
    return explainError(this.context, url, error as DriverFailure, model);
  }

  protected headers(accept: string): Record<string, string> {
    const key = this.key();
    return { accept, 'user-agent': 'drivebay', ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  }

  private async get({ signal }: Call): Promise<HttpResponse> {
    const headers = this.headers('application/json');
    try {
      return await this.context.http.request(this.endpoint.models, { headers, signal });
    } catch (error) {
      throw this.explain(this.endpoint.models, error);
    }
  }

  private async readNames(response: HttpResponse): Promise<string[] | undefined> {
    if (!isSuccess(response)) throw this.explain(this.endpoint.models, await response.error());
    try {
      return readModelList(JSON.parse(await response.text()));
    } catch (error) {
      if ((error as Error).name === 'SyntaxError') return undefined;
      throw error;
    }
  }
}

export function isSuccess({ status }: { status: number }): boolean {
  return status >= 200 && status < 300;
}
