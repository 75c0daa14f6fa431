import type { Anthropic } from '@anthropic-ai/sdk';
import type { HttpClient } from 'drivebay/plugin';
import { withoutVariables } from '../_shared/sdk/without-variables';
import type { Endpoint } from './endpoint';
import { exchangingFetch } from './exchange';

type Sdk = typeof import('@anthropic-ai/sdk');

/**
 * Makes the SDK's client. The SDK is loaded here, by the first request: it takes 120 ms and 18 MB. Its retries are off,
 * because repeating is the HTTP layer's business; its time limit ends nothing, because nobody listens to it.
 */
export function makeClient(http: HttpClient, { base, query }: Endpoint, apiKey: string): Anthropic {
  const { Anthropic: Client } = require('@anthropic-ai/sdk') as Sdk;
  return withoutVariables(
    /^ANTHROPIC_/,
    () =>
      new Client({
        apiKey,
        baseURL: base,
        defaultQuery: query,
        fetch: exchangingFetch(http),
        maxRetries: 0,
        logLevel: 'off',
        openTelemetry: false,
      }),
  );
}
