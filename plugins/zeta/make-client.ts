import type { GoogleGenAI } from '@google/genai';
import { withoutVariables } from '../_shared/sdk/without-variables';
import type { Endpoint } from './endpoint';

type Sdk = typeof import('@google/genai');

/**
 * Makes the SDK's client. The SDK is loaded here, by the first request: it takes 70 ms and 19 MB. Without retry options it
 * repeats nothing; with a key it looks for no other credentials, neither in files nor on the network.
 */
export function makeClient({ base, version }: Endpoint, apiKey: string): GoogleGenAI {
  const sdk = require('@google/genai') as Sdk;
  return withoutVariables(
    /^(GOOGLE|GEMINI)_/,
    () => new sdk.GoogleGenAI({ apiKey, vertexai: false, apiVersion: version, httpOptions: { baseUrl: base } }),
  );
}
