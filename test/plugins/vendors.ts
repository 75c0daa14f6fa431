import type { DriverFactory } from 'drivebay/plugin';
import type { HttpWire } from 'drivebay/testing';
import createEpsilon from '../../plugins/epsilon';
import createEta from '../../plugins/eta';
import createZeta from '../../plugins/zeta';
import type { HttpOptions } from '../../plugins/_shared/http/http-driver';
import { chatCompatWire } from '../authoring/chat-compat-wire';
import { etaWire } from '../authoring/eta-wire';
import { zetaWire } from '../authoring/zeta-wire';
import type { TempHome } from '../setup/temp-home';
import { json, type Answer, type RecordedRequest } from '../setup/upstream';
import { DriverHarness, useDriver } from './harness';
import { ANTHROPIC, GOOGLE, OPENAI, type RecordedRefusal } from './recorded-refusals';

/** A vendor whose SDK a driver sends by. */
export interface Vendor {
  alias: string;
  createDriver: DriverFactory<HttpOptions>;
  wire: HttpWire;
  keyVariable: string;
  /** The key of a request, as it was sent. */
  keyIn: (headers: RecordedRequest['headers']) => string | undefined;
  /** Variables by which its SDK can be led elsewhere. */
  environment: (home: TempHome) => Record<string, string>;
  /** Paths of `base_url`, each with the path to which a chat goes. */
  addresses: [string, string][];
  /** The model list, each page with its path. */
  pages: [string, Answer][];
  refusals: RecordedRefusal[];
}

const NOWHERE = 'http://127.0.0.1:9';
const EVIL = 'X-Evil: 1\nAuthorization: Bearer evil\nUser-Agent: evil';

export const EPSILON: Vendor = {
  alias: 'openai',
  createDriver: createEpsilon,
  wire: chatCompatWire,
  keyVariable: 'OPENAI_API_KEY',
  keyIn: ({ authorization }) => authorization?.replace('Bearer ', ''),
  environment: () => ({
    OPENAI_BASE_URL: NOWHERE,
    OPENAI_API_KEY: 'sk-environment',
    OPENAI_ADMIN_KEY: 'sk-environment',
    OPENAI_ORG_ID: 'org-environment',
    OPENAI_PROJECT_ID: 'proj-environment',
    OPENAI_CUSTOM_HEADERS: EVIL,
    OPENAI_LOG: 'debug',
  }),
  addresses: [
    ['', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['/proxy/v2', '/proxy/v2/chat/completions'],
    ['/v1?tenant=a%20b', '/v1/chat/completions?tenant=a%20b'],
    ['/v1/chat/completions', '/v1/chat/completions'],
  ],
  pages: [['/v1/models', json({ object: 'list', data: [{ id: 'a', context_window: 9 }, { id: 'b' }] })]],
  refusals: OPENAI,
};

export const ETA: Vendor = {
  alias: 'anthropic',
  createDriver: createEta,
  wire: etaWire,
  keyVariable: 'ANTHROPIC_API_KEY',
  keyIn: ({ authorization }) => authorization?.replace('Bearer ', ''),
  environment: (home) => {
    const authentication = { type: 'user_oauth', access_token: 'sk-environment' };
    home.write('anthropic/configs/default.json', JSON.stringify({ base_url: NOWHERE, authentication }));
    return {
      ANTHROPIC_BASE_URL: NOWHERE,
      ANTHROPIC_API_KEY: 'sk-environment',
      ANTHROPIC_AUTH_TOKEN: 'token-environment',
      ANTHROPIC_CUSTOM_HEADERS: `${EVIL}\nanthropic-beta: evil`,
      ANTHROPIC_LOG: 'debug',
      ANTHROPIC_PROFILE: 'default',
      ANTHROPIC_CONFIG_DIR: `${home.directory}/anthropic`,
      XDG_CONFIG_HOME: home.directory,
    };
  },
  addresses: [
    ['', '/v1/messages'],
    ['/v1/', '/v1/messages'],
    ['/proxy/anthropic/', '/proxy/anthropic/v1/messages'],
    ['/v1/messages', '/v1/messages'],
    ['/?tenant=a%20b', '/v1/messages?tenant=a%20b'],
  ],
  pages: [
    [
      '/v1/models?limit=1000',
      json({ data: [{ id: 'a', max_input_tokens: 9 }, { id: 'b' }], has_more: true, last_id: 'b' }),
    ],
    ['/v1/models?limit=1000&after_id=b', json({ data: [{ id: 'c' }], has_more: false, last_id: 'c' })],
  ],
  refusals: ANTHROPIC,
};

const chats = { supportedGenerationMethods: ['generateContent'] };
const embeds = { supportedGenerationMethods: ['embedContent'] };
const named = (name: string, fields: object = {}) => ({ name: `models/${name}`, ...fields });

export const ZETA: Vendor = {
  alias: 'gemini',
  createDriver: createZeta,
  wire: zetaWire,
  keyVariable: 'GEMINI_API_KEY',
  keyIn: (headers) => headers['x-goog-api-key'],
  environment: () => ({
    GOOGLE_API_KEY: 'sk-environment',
    GEMINI_API_KEY: 'sk-environment',
    GOOGLE_GENAI_USE_VERTEXAI: 'true',
    GOOGLE_GENAI_USE_ENTERPRISE: 'false',
    GOOGLE_CLOUD_PROJECT: 'project-environment',
    GOOGLE_CLOUD_LOCATION: 'environment',
    GOOGLE_GEMINI_BASE_URL: NOWHERE,
    GOOGLE_VERTEX_BASE_URL: NOWHERE,
    GOOGLE_APPLICATION_CREDENTIALS: '/nowhere.json',
  }),
  addresses: [
    ['', '/v1beta/models/m:generateContent'],
    ['/v1', '/v1/models/m:generateContent'],
    ['/proxy/v1alpha//', '/proxy/v1alpha/models/m:generateContent'],
    ['/proxy', '/proxy/v1beta/models/m:generateContent'],
    ['?tenant=a%20b', '/v1beta/models/m:generateContent?tenant=a+b'],
  ],
  pages: [
    [
      '/v1beta/models?pageSize=1000',
      json({
        models: [named('a', { ...chats, inputTokenLimit: 9 }), named('embedding', embeds), named('b')],
        nextPageToken: 'p2',
      }),
    ],
    ['/v1beta/models?pageSize=1000&pageToken=p2', json({ models: [named('c')] })],
  ],
  refusals: GOOGLE,
};

export const VENDORS = [EPSILON, ETA, ZETA];

export const KEY = 'sk-1';

/** The driver with the real SDK. */
export function startVendor(
  { createDriver, keyVariable }: Vendor,
  options: Partial<HttpOptions> = {},
  key: () => string | undefined = () => KEY,
): Promise<DriverHarness> {
  return DriverHarness.start(createDriver, { api_key_env: keyVariable, ...options }, key);
}

export function useVendor(vendor: Vendor): () => DriverHarness {
  return useDriver(() => startVendor(vendor));
}

/** Plays the vendor: answers every chat, and lists a model. */
export function answering({ wire }: Vendor): (request: RecordedRequest) => Answer {
  const answer = { pieces: ['Hi'], usage: { inputTokens: 3, outputTokens: 2 }, finish: 'stop' as const };
  return (request) => wire.probe?.(request) ?? wire.answer(answer, request);
}
