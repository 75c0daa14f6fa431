import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TempHome } from '../../setup/temp-home';
import { json, type Answer } from '../../setup/upstream';
import type { DriverHarness } from '../harness';
import { testKey } from '../vendor-key';
import { newCall, startEta } from './harness';
import { message } from './wire';

let harness: DriverHarness | undefined;

afterEach(() => harness?.close());

async function start(...parameters: Parameters<typeof startEta>): Promise<DriverHarness> {
  harness = await startEta(...parameters);
  harness.upstream.answer(json(message()));
  return harness;
}

describe('the environment', () => {
  const before = { ...process.env };

  afterEach(() => {
    process.env = { ...before };
  });

  test('has no say in address, credentials and headers, and is left as it was', async () => {
    const home = new TempHome();
    const profile = {
      base_url: 'http://127.0.0.1:9',
      authentication: { type: 'user_oauth', access_token: 'sk-profile' },
    };
    const folder = join(home.directory, 'anthropic', 'configs');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'default.json'), JSON.stringify(profile));
    const set = {
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      ANTHROPIC_API_KEY: 'sk-environment',
      ANTHROPIC_AUTH_TOKEN: 'token-environment',
      ANTHROPIC_CUSTOM_HEADERS: 'X-Evil: 1\nAuthorization: Bearer evil\nUser-Agent: evil\nanthropic-beta: evil',
      ANTHROPIC_LOG: 'debug',
      ANTHROPIC_PROFILE: 'default',
      ANTHROPIC_CONFIG_DIR: join(home.directory, 'anthropic'),
      XDG_CONFIG_HOME: home.directory,
    };
    Object.assign(process.env, set);
    const printed = (['debug', 'info', 'warn', 'error'] as const).map((name) =>
      jest.spyOn(console, name).mockImplementation(() => undefined),
    );
    const started = await start();
    const { upstream, driver } = started;
    await started.chat({ model: 'claude-opus-4-6', thinkingBudget: 2048 });
    await driver.check(newCall());
    expect(upstream.requests).toHaveLength(2);
    for (const { headers } of upstream.requests) {
      expect(headers.authorization).toBe('Bearer sk-1');
      expect(JSON.stringify(headers)).not.toMatch(/evil|environment|profile/);
    }
    for (const spy of printed) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
    expect(process.env).toMatchObject(set);
    home.remove();
  });
});

describe('the address', () => {
  test.each([
    ['', '/v1/messages'],
    ['/', '/v1/messages'],
    ['/v1', '/v1/messages'],
    ['/v1/', '/v1/messages'],
    ['/proxy/anthropic/', '/proxy/anthropic/v1/messages'],
    ['/v1/messages', '/v1/messages'],
    ['/?tenant=a%20b', '/v1/messages?tenant=a%20b'],
  ])('with the path "%s" leads to %s', async (path, expected) => {
    const { upstream } = await start();
    const other = await startEta({ base_url: upstream.url + path });
    await other.chat();
    await other.close();
    expect(upstream.requests[0]?.path).toBe(expected);
  });
});

describe('the key', () => {
  test('goes to a server of others in both headers that servers read', async () => {
    const { upstream } = await start();
    await harness!.chat();
    expect(upstream.requests[0]!.headers).toMatchObject({ authorization: 'Bearer sk-1', 'x-api-key': 'sk-1' });
  });

  const sentIn = ({ authorization }: Record<string, unknown>) => String(authorization).replace('Bearer ', '');
  testKey({ start: (key) => start({}, key), variable: 'ANTHROPIC_API_KEY', sentIn });
});

describe('check', () => {
  const list = {
    data: [
      { id: 'a', type: 'model' },
      { id: 'b', type: 'model' },
    ],
    has_more: true,
    last_id: 'b',
  };

  test.each<[string, Answer, object]>([
    ['counts the models', json({ ...list, has_more: false }), { detail: '2 models' }],
    ['says when there are more', json(list), { detail: '2 or more models' }],
    ['warns of something else', json({ ok: true }), { warnings: [expect.stringContaining('no model list') as string] }],
  ])('%s', async (_, answer, result) => {
    harness = await startEta();
    harness.upstream.answer(answer);
    expect(await harness.driver.check(newCall())).toEqual(result);
    expect(harness.upstream.requests[0]).toMatchObject({
      method: 'GET',
      path: '/v1/models?limit=1000',
      headers: { 'x-api-key': 'sk-1', 'anthropic-version': '2023-06-01' },
    });
  });

  test('names the address without its query: proxies have keys there', async () => {
    harness = await startEta();
    const behind = await startEta({ base_url: `${harness.upstream.url}?token=sesame` });
    harness.upstream.answer(json({ ok: true }));
    const { warnings } = (await behind.driver.check(newCall())) as { warnings: string[] };
    await behind.close();
    expect(warnings).toEqual([`${harness.upstream.url}/v1/models is no model list: check base_url`]);
    expect(harness.upstream.requests[0]?.path).toBe('/v1/models?token=sesame&limit=1000');
  });

  test('models names those of all pages', async () => {
    harness = await startEta();
    harness.upstream.answer(json(list), json({ data: [{ id: 'c' }], has_more: false, last_id: 'c' }));
    expect(await harness.driver.models?.(newCall())).toEqual(['a', 'b', 'c']);
    expect(harness.upstream.requests.map(({ path }) => path)).toEqual([
      '/v1/models?limit=1000',
      '/v1/models?limit=1000&after_id=b',
    ]);
  });
});
