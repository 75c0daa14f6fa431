import type { DriverContext, HttpResponse } from 'drivebay/plugin';
import type { GenerateContentParameters, GoogleGenAI } from '@google/genai';
import { isFields, type Fields } from '../_shared/fields';
import { exchange } from '../_shared/sdk/exchange';
import { withQuery } from './endpoint';

interface Sending {
  parameters: GenerateContentParameters;
  /** Fields of the vendor's request that the client sent by itself. */
  extra: Fields;
  stream: boolean;
  /** The query of `base_url`, for proxies that want one. */
  query: URLSearchParams;
  signal: AbortSignal;
}

/** Has the SDK build and send a request. The SDK's own reading costs 28 µs for each piece and drops fields. */
export function sendRequest(client: GoogleGenAI, context: DriverContext, sending: Sending): Promise<HttpResponse> {
  const { parameters, extra, stream, query, signal } = sending;
  return exchange(context, signal, (fetchOnce) => {
    const send: typeof fetch = (url, init) => {
      const address = query.size > 0 ? withQuery(url as string, query) : (url as string);
      return fetchOnce(address, { ...init, body: withExtra(init?.body as string, extra) });
    };
    // The continuation is on by default: the SDK would ask again by itself.
    const config = { ...parameters.config, httpOptions: { fetch: send }, automaticContinuation: false };
    if (stream) return client.models.generateContentStream({ ...parameters, config });
    return client.models.generateContent({ ...parameters, config });
  });
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
