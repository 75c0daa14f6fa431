import type { Call, ChatRequest, DriverContext, EmbeddingRequest, HttpResponse } from 'drivebay/plugin';
import type { OpenAI } from 'openai';
import { toEmbeddingFields } from '../_shared/chat-completions/embeddings';
import { toPlainRequest } from '../_shared/chat-completions/plain-request';
import { toRequestFields } from '../_shared/chat-completions/request-fields';
import { WireDriver } from '../_shared/chat-completions/wire-driver';
import type { Fields } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import type { HttpOptions } from '../_shared/http/http-driver';
import { hasReasoning } from '../_shared/http/message-parts';
import { leaveOut, Refusals, type LeftOut } from '../_shared/http/refusals';
import type { AnswerReader } from '../_shared/http/answer-reader';
import { wishParts, withWishes } from '../_shared/http/wishes';
import { postBody } from '../_shared/sdk/exchange';
import { clientOptions, SdkClient } from '../_shared/sdk/sdk-client';
import { ESSENTIAL, REFUSALS } from './refusals';
import { isVendor, offersResponses, ResponsesApi, type Wire } from './responses-api';
import { ResponsesReader } from './responses-reader';

interface EpsilonOptions extends HttpOptions {
  wire?: Wire;
}

/** Sends by the SDK, reads by itself: the SDK's iterator costs twice as much per chunk as the shared reader. */
class EpsilonDriver extends WireDriver<EpsilonOptions> {
  private readonly responses = new ResponsesApi(
    this.context,
    offersResponses(this.context.options.wire, this.endpoint.base),
    isVendor(this.endpoint.base),
  );
  private readonly refusals = new Refusals(REFUSALS, ESSENTIAL);
  /** The SDK takes 60 ms and 10 MB to load. */
  private readonly sdk = new SdkClient(this.context, /^OPENAI_/, async () => {
    const { OpenAI: Client } = await import('openai');
    const { origin, pathname, searchParams } = this.endpoint.base;
    return (apiKey) => new Client(clientOptions(apiKey, origin + pathname, searchParams));
  });

  protected async send(request: ChatRequest, call: Call, ignored: string[]): Promise<HttpResponse> {
    const client = await this.sdk.get();
    const native = await this.responses.send(client, request, call);
    if (native) return native;
    refuseStored(request, this.makeError);
    return this.refusals.send(request.model ?? '', call, ignored, (without, left) => {
      const fitting = withWishes(toPlainRequest(request, left, this.makeError), without, left, this.makeError);
      const body = toBody(fitting, without, left);
      return {
        parts: () => ({ ...body, ...wishParts(fitting) }),
        send: () => this.post(client, '/chat/completions', body, call),
      };
    });
  }

  protected override readerFor(request: ChatRequest, response: HttpResponse): AnswerReader {
    return this.responses.gave(response) ? new ResponsesReader(this.makeError) : super.readerFor(request);
  }

  protected override isNative(_request: ChatRequest, response: HttpResponse): boolean {
    return this.responses.gave(response);
  }

  protected async sendEmbedding(request: EmbeddingRequest, call: Call, ignored: string[]): Promise<HttpResponse> {
    const client = await this.sdk.get();
    return this.refusals.send(request.model ?? '', call, ignored, (without, left) => {
      const fields = leaveOut(toEmbeddingFields(request), without, left);
      // A third of the length that numbers have.
      const body = { encoding_format: 'float', ...leaveOut({ encoding_format: 'base64' }, without, []), ...fields };
      return { parts: () => body, send: () => this.post(client, '/embeddings', body, call) };
    });
  }

  protected keyHeaders(): Record<string, string> {
    return { authorization: `Bearer ${this.sdk.key()}` };
  }

  private post(client: OpenAI, path: string, body: Fields, call: Call): Promise<HttpResponse> {
    return postBody(this.context, client, { path, body }, call);
  }
}

export default function createDriver(context: DriverContext<EpsilonOptions>): EpsilonDriver {
  return new EpsilonDriver(context);
}

/** A prompt that the vendor keeps has no place in chat completions. */
function refuseStored({ origin }: ChatRequest, makeError: MakeError): void {
  const { param, instead } = origin?.stored ?? {};
  if (param === undefined) return;
  const message = `chat completions have no "${param}": send ${instead}, or set wire: responses where the endpoint has it`;
  throw makeError('invalid_request', message, { param });
}

/** The vendor's own spelling. Its reasoning never leaves it as text, and it takes none back. */
function toBody(request: ChatRequest, without: LeftOut, ignored: string[]): Fields {
  if (hasReasoning(request.messages)) ignored.push('reasoning_content');
  const fields = toRequestFields(request, {
    // The driver asks for usage, not the client: the client need not hear of a refusal.
    includeUsage: !without.has('stream_options'),
    limitName: without.has('max_completion_tokens') ? 'max_tokens' : 'max_completion_tokens',
    developerRole: 'developer',
    takesReasoning: false,
  });
  return leaveOut(fields, without, ignored);
}
