import type { Call, ChatRequest, DriverContext, DriverFailure, EmbeddingRequest, HttpRequest, HttpResponse } from 'drivebay/plugin'; // prettier-ignore
import { toEmbeddingFields } from '../_shared/chat-completions/embeddings';
import { toPlainRequest } from '../_shared/chat-completions/plain-request';
import { toRequestFields } from '../_shared/chat-completions/request-fields';
import { WireDriver } from '../_shared/chat-completions/wire-driver';
import type { Advice } from '../_shared/http/explain-error';
import { isSuccess, type HttpOptions } from '../_shared/http/http-driver';
import { Refusals, type Refusal } from '../_shared/http/refusals';
import { WISH_REFUSALS, wishParts, withWishes } from '../_shared/http/wishes';
import { fitSystemMessages, SYSTEM_REFUSALS, systemParts } from './system-messages';

const START_COMMANDS = new Map([
  ['11434', 'ollama serve'],
  ['1234', 'lms server start'],
  ['8080', 'llama-server -m <model file>'],
  ['8000', 'vllm serve <model>'],
]);

/** A server that cannot count streams cannot do it for any model. */
const COUNT_REFUSAL: Refusal = { words: /stream_options|include_usage/g, parts: ['stream_options'], scope: 'server' };

/** Speaks the chat-completions wire with any server. */
class ChatCompatDriver extends WireDriver {
  private readonly refusals = new Refusals([...WISH_REFUSALS, ...SYSTEM_REFUSALS, COUNT_REFUSAL]);

  protected send(request: ChatRequest, call: Call, ignored: string[]): Promise<HttpResponse> {
    const headers = this.headers(request.stream ? 'text/event-stream' : 'application/json');
    return this.refusals.send(request.model ?? '', call, ignored, (without, left) => {
      const asksUsage = request.stream && !without.has('stream_options');
      const plain = this.toPlain(request, left);
      const fitting = withWishes(plain, without, left, this.makeError);
      const messages = fitSystemMessages(plain.messages, without);
      const body = toRequestBody(messages === fitting.messages ? fitting : { ...fitting, messages }, asksUsage);
      return {
        parts: () => ({
          ...wishParts(fitting),
          ...systemParts(messages),
          stream_options: asksUsage || undefined,
        }),
        send: () => this.post(this.endpoint.chat, { headers, call, body }),
      };
    });
  }

  /** The cache key is a vendor's own; a budget of another wire's client means nothing where the provider has none. */
  private toPlain(request: ChatRequest, ignored: string[]): ChatRequest {
    const plain = toPlainRequest(request, ignored, this.makeError);
    if (!request.origin) return plain;
    const { prompt_cache_key: _, ...extra } = plain.extra;
    const fitting = { ...plain };
    fitting.extra = extra;
    if (!this.context.options.thinking_budget) fitting.thinkingBudget = undefined;
    return fitting;
  }

  /** Without a format: some servers refuse the word for the one that every server gives. */
  protected sendEmbedding(request: EmbeddingRequest, call: Call): Promise<HttpResponse> {
    const body = JSON.stringify(toEmbeddingFields(request));
    return this.post(this.endpoint.embeddings, { headers: this.headers('application/json'), call, body });
  }

  private headers(accept: string): Record<string, string> {
    return { accept, 'user-agent': 'drivebay', 'content-type': 'application/json', ...this.keyHeaders() };
  }

  private async post(url: URL, request: HttpRequest): Promise<HttpResponse> {
    const response = await this.context.http.request(url, { method: 'POST', ...request });
    if (isSuccess(response)) return response;
    throw await response.error();
  }

  /** The server may need no key; a provider entry that names a variable needs it. */
  protected keyHeaders(): Record<string, string> {
    return this.context.options.api_key_env ? { authorization: `Bearer ${this.context.requireApiKey()}` } : {};
  }

  protected override adviceOn(failure: DriverFailure, url: URL): Advice {
    const command = isLoopback(url) ? START_COMMANDS.get(url.port) : undefined;
    if (failure.code !== 'unreachable' || !command) return super.adviceOn(failure, url);
    return { hint: `start the server: ${command}; or correct base_url` };
  }
}

export default function createDriver(context: DriverContext<HttpOptions>): ChatCompatDriver {
  return new ChatCompatDriver(context);
}

/**
 * The JSON text to send. A client's own `thinking` is more specific than the provider's budget. Most compatible servers
 * know only the older names: `max_tokens`, whatever the client called it, and the system role.
 */
export function toRequestBody(request: ChatRequest, includeUsage: boolean): string {
  const fields = toRequestFields(request, {
    includeUsage,
    limitName: 'max_tokens',
    developerRole: 'system',
    takesReasoning: true,
  });
  const { thinkingBudget } = request;
  return JSON.stringify(
    thinkingBudget ? { thinking: { type: 'enabled', budget_tokens: thinkingBudget }, ...fields } : fields,
  );
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
