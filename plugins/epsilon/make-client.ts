import type { HttpClient } from 'drivebay/plugin';
import type { OpenAI } from 'openai';
import { carryingFetch } from '../_shared/sdk/carried-failure';

type Sdk = typeof import('openai');

/**
 * Makes the SDK's client. The SDK is loaded here, by the first request: it takes 60 ms and 10 MB. Its retries are off,
 * because repeating is the HTTP layer's business.
 */
export function makeClient(http: HttpClient, base: URL, apiKey: string): OpenAI {
  const sdk = require('openai') as Sdk;
  const { origin, pathname, searchParams } = base;
  return withoutItsVariables(
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

/**
 * The SDK takes settings from its environment variables: another address, an organization, a second key, headers. Not
 * all of them can be overruled by options, so none is there while it looks. Nothing else runs in the meantime.
 */
function withoutItsVariables<T>(make: () => T): T {
  const hidden = Object.entries(process.env).filter(([name]) => name.startsWith('OPENAI_'));
  for (const [name] of hidden) delete process.env[name];
  try {
    return make();
  } finally {
    for (const [name, value] of hidden) process.env[name] = value;
  }
}
