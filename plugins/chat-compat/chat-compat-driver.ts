import type { Call, ChatEvent, ChatRequest, CheckResult, Driver, DriverContext, HttpResponse } from 'drivebay/plugin';
import { AnswerReader } from './answer-reader';
import { resolveEndpoint, type Endpoint } from './endpoint';
import { explainError } from './explain-error';
import { readModelList } from './model-list';
import type { Options } from './options';
import { readCompletion } from './read-completion';
import { StreamReader } from './stream-reader';
import { toRequestBody } from './request-body';

/** A server without a model list can still chat. */
const NO_LIST_STATUS = new Set([404, 405, 501]);

/** Speaks the chat-completions wire with any server. */
export class ChatCompatDriver implements Driver {
  private readonly endpoint: Endpoint;
  /** Becomes false for good when the server refuses to be asked for usage in a stream. */
  private takesStreamOptions = true;
  private readonly makeError: DriverContext['error'] = (...parts) => this.context.error(...parts);

  constructor(private readonly context: DriverContext<Options>) {
    this.endpoint = resolveEndpoint(context.options.base_url);
  }

  async *chat(request: ChatRequest, call: Call): AsyncGenerator<ChatEvent, void, undefined> {
    const response = await this.send(request, call);
    const reader = new AnswerReader(Math.max(1, request.choices ?? 1), this.makeError);
    if (!isStream(request, response)) {
      for (const event of await readCompletion(response, reader, this.makeError)) yield event;
      return;
    }
    const stream = new StreamReader(response, reader, this.makeError);
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
    return { warnings: [`${describe(this.endpoint.models)} is no model list: check base_url`] };
  }

  async models(call: Call): Promise<string[]> {
    return (await this.readNames(await this.get(call))) ?? [];
  }

  private async send(request: ChatRequest, call: Call): Promise<HttpResponse> {
    const asksUsage = request.stream && this.takesStreamOptions;
    const response = await this.post(toRequestBody(request, asksUsage), request, call);
    if (isSuccess(response)) return response;
    const error = await response.error();
    if (!asksUsage || !isAboutStreamOptions(response.status, error)) {
      throw explainError(this.context, this.endpoint.chat, error, request.model);
    }
    call.log.info('the server does not know stream_options: streams will have no usage');
    this.takesStreamOptions = false;
    return this.send(request, call);
  }

  private async post(body: string, { stream }: ChatRequest, { signal }: Call): Promise<HttpResponse> {
    const headers = this.headers(stream ? 'text/event-stream' : 'application/json');
    headers['content-type'] = 'application/json';
    try {
      return await this.context.http.request(this.endpoint.chat, { method: 'POST', headers, signal, body });
    } catch (error) {
      throw explainError(this.context, this.endpoint.chat, error);
    }
  }

  private async get({ signal }: Call): Promise<HttpResponse> {
    const headers = this.headers('application/json');
    try {
      return await this.context.http.request(this.endpoint.models, { headers, signal });
    } catch (error) {
      throw explainError(this.context, this.endpoint.models, error);
    }
  }

  private async readNames(response: HttpResponse): Promise<string[] | undefined> {
    if (!isSuccess(response)) throw explainError(this.context, this.endpoint.models, await response.error());
    try {
      return readModelList(JSON.parse(await response.text()));
    } catch (error) {
      if ((error as Error).name === 'SyntaxError') return undefined;
      throw error;
    }
  }

  private headers(accept: string): Record<string, string> {
    const headers: Record<string, string> = { accept, 'user-agent': 'drivebay' };
    // The server may need no key; a provider that names a variable means it, though.
    if (this.context.options.api_key_env) headers.authorization = `Bearer ${this.context.requireApiKey()}`;
    return headers;
  }
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

/** Some servers answer a streamed request with one JSON object, some the other way round: what came decides. */
function isStream(request: ChatRequest, { headers }: HttpResponse): boolean {
  const type = headers['content-type'] ?? '';
  if (/^text\/event-stream/i.test(type)) return true;
  return request.stream && !/^(application\/json|text\/html)/i.test(type);
}

function isAboutStreamOptions(status: number, error: Error): boolean {
  return (status === 400 || status === 422) && /stream_options|include_usage/.test(error.message);
}

function describe({ origin, pathname }: URL): string {
  return origin + pathname;
}
