import type { Call, ChatRequest, DriverFailure, HttpResponse } from 'drivebay/plugin';
import type { WireAnswer } from '../_shared/chat-completions/answer';
import { isSuccess, WireDriver } from '../_shared/chat-completions/wire-driver';
import { explainError } from './explain-error';
import type { Options } from './options';
import { toRequestBody } from './request-body';

/** Speaks the chat-completions wire with any server. */
export class ChatCompatDriver extends WireDriver<Options> {
  /** Becomes false for good when the server refuses to be asked for usage in a stream. */
  private takesStreamOptions = true;

  protected async send(request: ChatRequest, call: Call, ignored: string[]): Promise<WireAnswer> {
    const asksUsage = request.stream && this.takesStreamOptions;
    const response = await this.post(toRequestBody(request, asksUsage), request, call);
    if (isSuccess(response)) return toAnswer(response);
    const error = await response.error();
    if (!asksUsage || !isAboutStreamOptions(response.status, error)) {
      throw this.explain(this.endpoint.chat, error, request.model);
    }
    call.log.info('the server does not know stream_options: streams will have no usage');
    this.takesStreamOptions = false;
    return this.send(request, call, ignored);
  }

  /** The server may need no key; a provider that names a variable means it, though. */
  protected key(): string | undefined {
    return this.context.options.api_key_env ? this.context.requireApiKey() : undefined;
  }

  protected override explain(url: URL, error: unknown, model?: string): Error {
    return explainError(this.context, url, error as DriverFailure, model);
  }

  private async post(body: string, { stream }: ChatRequest, { signal }: Call): Promise<HttpResponse> {
    const headers = this.headers(stream ? 'text/event-stream' : 'application/json');
    headers['content-type'] = 'application/json';
    try {
      return await this.context.http.request(this.endpoint.chat, { method: 'POST', headers, signal, body });
    } catch (error) {
      throw this.explain(this.endpoint.chat, error);
    }
  }
}

function toAnswer(response: HttpResponse): WireAnswer {
  return {
    contentType: response.headers['content-type'] ?? '',
    events: () => response.events(),
    json: () => response.json(),
  };
}

function isAboutStreamOptions(status: number, error: Error): boolean {
  return (status === 400 || status === 422) && /stream_options|include_usage/.test(error.message);
}
