import type { GoogleGenAI } from '@google/genai';
import type { Endpoint } from './endpoint';

type Sdk = typeof import('@google/genai');

/**
 * Makes the SDK's client. The SDK is loaded here, by the first request: it takes 70 ms and 19 MB. Without retry options it
 * repeats nothing; with a key it looks for no other credentials, neither in files nor on the network.
 */
export function makeClient({ base, version }: Endpoint, apiKey: string): GoogleGenAI {
  const sdk = require('@google/genai') as Sdk;
  return withoutItsVariables(
    () => new sdk.GoogleGenAI({ apiKey, vertexai: false, apiVersion: version, httpOptions: { baseUrl: base } }),
  );
}

/**
 * The SDK takes settings from its environment variables: another key, address, project, or product. Options overrule
 * them, but it prints about some all the same, so none is there while it looks. Nothing else runs in the meantime.
 */
function withoutItsVariables<T>(make: () => T): T {
  const hidden = Object.entries(process.env).filter(([name]) => /^(GOOGLE|GEMINI)_/.test(name));
  for (const [name] of hidden) delete process.env[name];
  try {
    return make();
  } finally {
    for (const [name, value] of hidden) process.env[name] = value;
  }
}
