import type { HttpClient } from 'drivebay/plugin';
import type { OpenAI } from 'openai';
import { carryingFetch } from '../_shared/sdk/carried-failure';
import { withoutVariables } from '../_shared/sdk/without-variables';

type Sdk = typeof import('openai');

/**
 * Makes the SDK's client. The SDK is loaded here, by the first request: it takes 60 ms and 10 MB. Its retries are off,
 * because repeating is the HTTP layer's business.
 */
export function makeClient(http: HttpClient, base: URL, apiKey: string): OpenAI {
  const sdk = require('openai') as Sdk;
  const { origin, pathname, searchParams } = base;
  return withoutVariables(
    /^OPENAI_/,
    () =>
      new sdk.OpenAI({
        apiKey,
        baseURL: origin + pathname,
        defaultQuery: Object.fromEntries(searchParams),
        fetch: carryingFetch(http),
        maxRetries: 0,
        logLevel: 'off',
      }),
  );
}
