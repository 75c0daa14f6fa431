import { completion, json } from '../../setup/upstream';
import type { DriverHarness } from '../harness';
import { testKey } from '../vendor-key';
import { newCall, startEpsilon } from './harness';

let harness: DriverHarness | undefined;

afterEach(() => harness?.close());

async function start(...parameters: Parameters<typeof startEpsilon>): Promise<DriverHarness> {
  harness = await startEpsilon(...parameters);
  harness.upstream.answer(json(completion('x')));
  return harness;
}

describe('the environment', () => {
  const before = { ...process.env };

  afterEach(() => {
    process.env = { ...before };
  });

  test('has no say in address, account and headers, and is left as it was', async () => {
    const set = {
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_API_KEY: 'sk-environment',
      OPENAI_ADMIN_KEY: 'sk-admin',
      OPENAI_ORG_ID: 'org-environment',
      OPENAI_PROJECT_ID: 'proj-environment',
      OPENAI_CUSTOM_HEADERS: 'X-Evil: 1\nAuthorization: Bearer evil\nUser-Agent: evil',
      OPENAI_LOG: 'debug',
    };
    Object.assign(process.env, set);
    const printed = jest.spyOn(console, 'debug').mockImplementation(() => undefined);
    const started = await start();
    const { upstream } = started;
    await started.chat();
    await started.driver.check(newCall());
    for (const { headers } of upstream.requests) {
      expect(headers.authorization).toBe('Bearer sk-1');
      expect(JSON.stringify(headers)).not.toMatch(/evil|environment|admin/);
    }
    expect(upstream.requests).toHaveLength(2);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
    expect(process.env).toMatchObject(set);
  });
});

describe('the address', () => {
  test.each([
    ['', '/v1/chat/completions'],
    ['/', '/v1/chat/completions'],
    ['/v1', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['/proxy/v2', '/proxy/v2/chat/completions'],
    ['/v1?tenant=a%20b', '/v1/chat/completions?tenant=a%20b'],
    ['/v1/chat/completions', '/v1/chat/completions'],
  ])('with the path "%s" leads to %s', async (path, expected) => {
    const { upstream } = await start();
    const other = await startEpsilon({ base_url: upstream.url + path });
    await other.chat();
    await other.close();
    expect(upstream.requests[0]?.path).toBe(expected);
  });
});

describe('the key', () => {
  const sentIn = ({ authorization }: Record<string, unknown>) => String(authorization).replace('Bearer ', '');
  testKey({ start: (key) => start({}, key), variable: 'OPENAI_API_KEY', sentIn });
});

test('check counts the models, and models names them', async () => {
  harness = await startEpsilon();
  harness.upstream.answer(json({ object: 'list', data: [{ id: 'a' }, { id: 'b' }] }));
  expect(await harness.driver.check(newCall())).toEqual({ detail: '2 models' });
  expect(await harness.driver.models?.(newCall())).toEqual(['a', 'b']);
  expect(harness.upstream.requests[0]).toMatchObject({
    method: 'GET',
    path: '/v1/models',
    headers: { authorization: 'Bearer sk-1' },
  });
});
