import type { Call, ChatRequest, DriverContext, DriverFailure, HttpResponse, RequestOrigin } from 'drivebay/plugin';
import type { OpenAI } from 'openai';
import { fieldsOf, textOf } from '../_shared/fields';
import { errorIn } from '../_shared/http/explain-error';
import { type HttpOptions, NO_SUCH_API } from '../_shared/http/http-driver';
import { Refusals, type Refusal } from '../_shared/http/refusals';
import { postBody } from '../_shared/sdk/exchange';
import { isSelfContained, toResponsesBody } from './responses-body';

export type Wire = 'responses' | 'chat';

/** The vendor's sentences on what the driver adds, and on reasoning that is not its own. */
const REFUSALS: readonly Refusal[] = [
  { words: /encrypted content is not supported/gi, parts: ['include'] },
  { words: /invalid_encrypted_content|encrypted content .*could not be (?:verified|decrypted)/gi, parts: ['reasoning'], scope: 'request' },
  { words: /of type 'reasoning' was provided without/g, parts: ['reasoning'], scope: 'request' },
]; // prettier-ignore

/** The status of a server without this API may also mean something that the request names. */
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
        return {
          parts: () => parts,
          send: () => postBody(this.context, client, { path: '/responses', body }, call),
        };
      });
      this.answers.add(response);
      this.hasAnswered = true;
      return response;
    } catch (error) {
      if (this.hasAnswered || !saysMissing(error as DriverFailure)) throw error;
      this.isMissing = true;
      call.log.info('the endpoint has no Responses API: continuing with chat completions');
      return undefined;
    }
  }

  /** Whether an answer is one of this API. */
  gave(response: HttpResponse): boolean {
    return this.answers.has(response);
  }

  private takes(origin: RequestOrigin | undefined): origin is RequestOrigin {
    return this.isOffered && !this.isMissing && origin?.api === 'responses' && isSelfContained(origin.body);
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
  if (!NO_SUCH_API.has(status)) return false;
  const error = errorIn(answer);
  return error.code !== 'model_not_found' && !NAMED.test(textOf(fieldsOf(error).message) ?? message);
}
