import type { FetchResponse, HttpClient } from 'drivebay/plugin';
import type { GenerateContentParameters, GoogleGenAI } from '@google/genai';
import { isFields, type Fields } from '../_shared/fields';
import { carryingFetch } from '../_shared/sdk/carried-failure';
import { withQuery } from './endpoint';

type SdkFetch = typeof fetch;

/** What is sent, and how. */
export interface Sending {
  parameters: GenerateContentParameters;
  /** Fields of the vendor's request that the client sent by itself. */
  extra: Fields;
  stream: boolean;
  query: URLSearchParams;
  signal: AbortSignal;
}

/**
 * Has the SDK build and send a request, and takes the answer out of its hands: what it makes of one costs 28 µs for each
 * piece, drops fields, and ends without an error where a stream was cut. Throws what the SDK throws.
 */
export async function sendRequest(client: GoogleGenAI, http: HttpClient, sending: Sending): Promise<FetchResponse> {
  const { parameters, extra, stream, query, signal } = sending;
  const send = carryingFetch(http);
  let answer: FetchResponse | undefined;
  const handOver: SdkFetch = async (input, init) => {
    // The SDK gives addresses as texts.
    const address = query.size > 0 ? withQuery(input as string, query) : (input as string);
    answer = await send(address, { ...init, body: withExtra(init?.body as string, extra), signal });
    return standIn();
  };
  const config = {
    ...parameters.config,
    httpOptions: { fetch: handOver },
    // On by default; it would ask again by itself.
    automaticContinuation: false,
  };
  if (stream) await client.models.generateContentStream({ ...parameters, config });
  else await client.models.generateContent({ ...parameters, config });
  return answer!;
}

/** What the SDK gets to read in place of the answer. */
function standIn(): Response {
  return { ok: true, status: 200, headers: new Headers(), json: () => Promise.resolve({}) } as Response;
}

/** Known fields win. */
function withExtra(text: string, extra: Fields): string {
  if (Object.keys(extra).length === 0) return text;
  const body = JSON.parse(text) as { generationConfig?: Fields };
  const whole: Fields = { ...extra, ...body };
  if (isFields(extra.generationConfig)) {
    whole.generationConfig = { ...extra.generationConfig, ...body.generationConfig };
  }
  return JSON.stringify(whole);
}
