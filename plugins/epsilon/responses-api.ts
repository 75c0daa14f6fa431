import type { Call, ChatRequest, DriverContext, DriverFailure, HttpResponse, RequestOrigin } from 'drivebay/plugin';
import type { OpenAI } from 'openai';
import { countOf, fieldsOf, textOf, type Fields } from '../_shared/fields';
import { errorIn } from '../_shared/http/explain-error';
import type { HttpOptions } from '../_shared/http/http-driver';
import { Refusals, type Refusal } from '../_shared/http/refusals';
import { exchange, fetchOptions } from '../_shared/sdk/exchange';
import { isSelfContained, toResponsesBody } from './responses-body';

export type Wire = 'responses' | 'chat';

/** The vendor's sentences on what the driver adds, and on reasoning that is not its own. */
const REFUSALS: readonly Refusal[] = [
  { words: /encrypted content is not supported/gi, parts: ['include'] },
  { words: /invalid_encrypted_content|encrypted content .*could not be (?:verified|decrypted)/gi, parts: ['reasoning'], scope: 'request' },
  { words: /of type 'reasoning' was provided without/g, parts: ['reasoning'], scope: 'request' },
]; // prettier-ignore

/** The fields of a request that make its input. */
const COUNTED = [
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'text', 'reasoning'],
  ...['parallel_tool_calls', 'truncation', 'personality'],
];

/** What a server without this API says: the status alone may also mean something that the request names. */
const MISSING_STATUS = new Set<number | undefined>([404, 405, 501]);
const NAMED = /\bmodel\b|\bwith id\b/i;

/** Sends requests of clients of the Responses wire as they are, where the endpoint has that API. */
export class ResponsesApi {
  private isMissing = false;
  /** Once the endpoint has answered in this API, it has it. */
  private hasAnswered = false;
  private readonly refusals = new Refusals(REFUSALS);
  private readonly answers = new WeakSet<HttpResponse>();

  constructor(
    private readonly context: DriverContext<HttpOptions>,
    private readonly isOffered: boolean,
    private readonly isVendor: boolean,
  ) {}

  /** Undefined where the request is not of that wire, or the endpoint has no such API: then it goes by chat completions. */
  async send(client: OpenAI, request: ChatRequest, call: Call): Promise<HttpResponse | undefined> {
    const { origin, model = '' } = request;
    if (!this.takes(origin)) return undefined;
    try {
      const response = await this.refusals.send(model, call, [], (without) => {
        const { body, parts } = toResponsesBody(request, origin.body, { without, isVendor: this.isVendor });
        return { parts: () => parts, send: () => this.post(client, '/responses', body, call.signal) };
      });
      this.answers.add(response);
      this.hasAnswered = true;
      return response;
    } catch (error) {
      if (this.hasAnswered || !saysMissing(error as DriverFailure)) throw error;
      this.isMissing = true;
      call.log.info('the endpoint has no Responses API: going on with chat completions');
      return undefined;
    }
  }

  /** As the vendor counts. Throws for a request that it could not be asked for in this wire. */
  async count(client: OpenAI, request: ChatRequest, { signal }: Call): Promise<number> {
    const { origin } = request;
    if (!this.takes(origin)) {
      throw this.context.error('invalid_request', 'the vendor counts only requests of its Responses API');
    }
    const { body } = toResponsesBody(request, origin.body, { without: new Map(), isVendor: this.isVendor });
    const counted = Object.fromEntries(COUNTED.flatMap((name) => (name in body ? [[name, body[name]]] : [])));
    const response = await this.post(client, '/responses/input_tokens', counted, signal);
    const count = countOf(fieldsOf(await response.json()).input_tokens);
    if (count !== undefined) return count;
    throw this.context.error('protocol', 'the answer has no input_tokens');
  }

  /** Whether an answer is one of this API. */
  gave(response: HttpResponse): boolean {
    return this.answers.has(response);
  }

  private takes(origin: RequestOrigin | undefined): origin is RequestOrigin {
    return this.isOffered && !this.isMissing && origin?.api === 'responses' && isSelfContained(origin.body);
  }

  private post(client: OpenAI, path: string, body: Fields, signal: AbortSignal): Promise<HttpResponse> {
    return exchange(this.context, signal, (fetchOnce) =>
      client.post(path, { body, fetchOptions: fetchOptions(fetchOnce) }).asResponse(),
    );
  }
}

/** Where the provider does not say: the vendor itself has the API, a proxy or another server often has not. */
export function offersResponses(wire: Wire | undefined, { hostname }: URL): boolean {
  return wire === undefined ? /(^|\.)openai\.com$/.test(hostname) : wire === 'responses';
}

/** Whether this is the vendor itself, or its models at another cloud. */
export function isVendor({ hostname }: URL): boolean {
  return /(^|\.)openai\.(azure\.)?com$/.test(hostname);
}

function saysMissing({ status, message, answer }: DriverFailure): boolean {
  if (!MISSING_STATUS.has(status)) return false;
  const error = errorIn(answer);
  return error.code !== 'model_not_found' && !NAMED.test(textOf(fieldsOf(error).message) ?? message);
}
