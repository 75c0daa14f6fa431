import { json } from '../../setup/upstream';
import type { DriverHarness } from '../harness';
import { testKey } from '../vendor-key';
import { end, newCall, startZeta } from './harness';

let harness: DriverHarness | undefined;

afterEach(() => harness?.close());

async function start(...parameters: Parameters<typeof startZeta>): Promise<DriverHarness> {
  harness = await startZeta(...parameters);
  harness.upstream.answer(json(end('x')));
  return harness;
}

describe('the environment', () => {
  const before = { ...process.env };

  afterEach(() => {
    process.env = { ...before };
    jest.restoreAllMocks();
  });

  test('has no say in key, address and product, makes nothing be printed, and is left as it was', async () => {
    const set = {
      GOOGLE_API_KEY: 'key-environment',
      GEMINI_API_KEY: 'key-other',
      GOOGLE_GENAI_USE_VERTEXAI: 'true',
      GOOGLE_GENAI_USE_ENTERPRISE: 'false',
      GOOGLE_CLOUD_PROJECT: 'project-environment',
      GOOGLE_CLOUD_LOCATION: 'environment',
      GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9',
      GOOGLE_VERTEX_BASE_URL: 'http://127.0.0.1:9',
      GOOGLE_APPLICATION_CREDENTIALS: '/nowhere.json',
    };
    Object.assign(process.env, set);
    const printed = (['log', 'warn', 'debug', 'error'] as const).map((name) =>
      jest.spyOn(console, name).mockImplementation(() => undefined),
    );
    const { chat, driver, upstream } = await start().then((started) => ({
      chat: () => started.chat(),
      driver: started.driver,
      upstream: started.upstream,
    }));
    await chat();
    await driver.check(newCall());
    expect(upstream.requests.map(({ path }) => path)).toEqual([
      '/v1beta/models/m:generateContent',
      '/v1beta/models?pageSize=1000',
    ]);
    for (const { headers } of upstream.requests) {
      expect(headers['x-goog-api-key']).toBe('key-1');
      expect(JSON.stringify(headers)).not.toMatch(/environment|other/);
    }
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
    expect(process.env).toMatchObject(set);
  });
});

test.each([
  ['', '/v1beta/models/m:generateContent'],
  ['/', '/v1beta/models/m:generateContent'],
  ['/v1beta', '/v1beta/models/m:generateContent'],
  ['/v1beta/', '/v1beta/models/m:generateContent'],
  ['/v1', '/v1/models/m:generateContent'],
  ['/proxy/v1alpha//', '/proxy/v1alpha/models/m:generateContent'],
  ['/proxy', '/proxy/v1beta/models/m:generateContent'],
  ['?tenant=a%20b', '/v1beta/models/m:generateContent?tenant=a+b'],
])('the address with the path "%s" leads to %s', async (path, expected) => {
  const { upstream } = await start();
  const other = await startZeta({ base_url: upstream.url + path });
  await other.chat();
  await other.close();
  expect(upstream.requests[0]?.path).toBe(expected);
});

describe('the key', () => {
  const sentIn = (headers: Record<string, unknown>) => String(headers['x-goog-api-key']);
  testKey({ start: (key) => start({}, key), variable: 'GEMINI_API_KEY', sentIn });
});

describe('check', () => {
  const models = [
    { name: 'models/a', supportedGenerationMethods: ['generateContent'] },
    { name: 'models/embedding', supportedGenerationMethods: ['embedContent'] },
    { name: 'models/b' },
  ];

  test('counts the models that chat', async () => {
    harness = await startZeta();
    harness.upstream.answer(json({ models }));
    expect(await harness.driver.check(newCall())).toEqual({ detail: '2 models' });
  });

  test('models names them, page by page', async () => {
    harness = await startZeta();
    harness.upstream.answer(json({ models, nextPageToken: 'p2' }), json({ models: [{ name: 'models/c' }] }));
    expect(await harness.driver.models?.(newCall())).toEqual(['a', 'b', 'c']);
    expect(harness.upstream.requests[1]?.path).toBe('/v1beta/models?pageSize=1000&pageToken=p2');
  });
});
