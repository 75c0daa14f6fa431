import type { ExchangeView } from '../../../core/record/exchange-view';
import type { RunningGateway } from '../../setup/running-gateway';
import { type Step, stop, text, useScripted } from '../../gateway/scripted-driver';

const KEY = 'sk-a-key-that-stays-here';
const SECRET = 'a very private question';

let gateway: RunningGateway;
const home = useScripted(
  (started) => (gateway = started),
  () => ({
    yaml: `version: "1"
default_provider: main
providers:
  - { name: main, driver: scripted, default_model: m-1, api_key_env: SCRIPTED_KEY }
  - { name: narrow, driver: scripted, default_model: n-1, max_concurrency: 1 }
  - { name: dead, driver: plain, default_model: d-1 }
routes:
  - { name: first, targets: [dead, main] }
`,
    env: { SCRIPTED_KEY: KEY },
  }),
);

/** Sends a request, waits for its answer, and gives its id. */
async function ask(model: string, script: Step[], fields: Record<string, unknown> = {}): Promise<string> {
  const headers = { authorization: `Bearer ${KEY}`, 'user-agent': 'tester/1.0' };
  const messages = [{ role: 'user', content: SECRET }];
  const response = await gateway.chat({ model, messages, script, ...fields }, { headers });
  await response.text();
  return response.headers.get('x-request-id')!;
}

async function debug(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.run('debug', ...words);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const show = async (id: string, ...words: string[]) =>
  JSON.parse(await debug('show', id, '--json', ...words)) as ExchangeView;

test('the last requests are listed with their stages, one line each', async () => {
  const first = await ask('main', [text('Hello'), { type: 'usage', inputTokens: 3, outputTokens: 1 }, stop]);
  const second = await ask('main', [{ fail: ['upstream', 'it broke'] }]);
  const lines = (await debug('--last', '2')).trim().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(new RegExp(`^${first} .*chat-completions .*main .* 200 .*4$`));
  expect(lines[2]).toMatch(new RegExp(`^${second} .* 502 `));
  const { exchanges } = JSON.parse(await debug('--json', '--last', '1')) as { exchanges: ExchangeView[] };
  expect(exchanges.map(({ id }) => id)).toEqual([second]);
});

test('a route shows each target that was asked, with its outcome and its times', async () => {
  const script = [{ fail: ['upstream', 'it broke'] }];
  const { attempts, route, status } = await show(await ask('first', script));
  expect({ route, status }).toEqual({ route: 'first', status: 502 });
  expect(attempts).toMatchObject([
    { provider: 'dead', model: 'd-1', failure: 'upstream' },
    { provider: 'main', model: 'm-1', failure: 'upstream' },
  ]);
  expect(attempts[1]!.askedMs).toBeGreaterThanOrEqual(attempts[0]!.endedMs!);
});

test('prompt, answer and the words of a failure are shown only with --with-content, and no key ever', async () => {
  const failed = await ask('main', [{ fail: ['upstream', `cannot do: ${SECRET}`] }]);
  const told = await ask('main', [{ key: 'tell' }, { type: 'reasoning', text: 'hm' }, text(' and more'), stop]);
  for (const id of [failed, told]) {
    for (const plain of [await debug('show', id), JSON.stringify(await show(id)), await debug('--json')]) {
      expect(plain).not.toContain(SECRET);
      expect(plain).not.toContain('and more');
      expect(plain).not.toContain(KEY);
    }
    const full = await debug('show', id, '--with-content');
    expect(full).toContain(SECRET);
    expect(full).not.toContain(KEY);
  }
  const { content, attempts } = await show(told, '--with-content');
  expect(content!.answer).toEqual({ text: '[redacted] and more', reasoning: 'hm', finish: 'stop', pieces: 2 });
  expect(content!.request).toMatchObject({ messages: [{ role: 'user', content: SECRET }] });
  expect(attempts).toMatchObject([{ provider: 'main', model: 'm-1' }]);
  expect(await show(failed, '--with-content')).toMatchObject({
    attempts: [{ failure: 'upstream', message: expect.stringContaining(SECRET) as string }],
  });
});

test('a request that has not ended shows the stage that it is in', async () => {
  const busy = gateway.chat({ model: 'narrow', script: [{ say: 'in the slot' }, { until: 'seen' }, text('x'), stop] });
  await gateway.untilOutput(/in the slot/);
  const waiting = gateway.chat({ model: 'narrow', script: [text('y'), stop] });
  let running: ExchangeView[] = [];
  while (running.filter(({ attempts }) => attempts[0]?.queuedMs !== undefined).length < 2) {
    const { exchanges } = JSON.parse(await debug('--json', '--last', '2')) as { exchanges: ExchangeView[] };
    running = exchanges.filter(({ state }) => state === 'running');
  }
  expect(running.map(({ attempts }) => attempts[0]!.askedMs === undefined)).toEqual([false, true]);
  expect(await debug('--last', '2')).toMatch(/narrow .* asked [^]*narrow .* queued /);
  await gateway.chat({ model: 'main', script: [{ open: 'seen' }, text('z'), stop] });
  for (const answer of [busy, waiting]) expect((await answer).status).toBe(200);
});

test('an id that is not there says where ids are', async () => {
  const { code, stderr } = await home.run('debug', 'show', 'req_none');
  expect(code).toBe(1);
  expect(stderr).toContain('there is no exchange "req_none" in the flight recorder');
  expect(stderr).toContain('drivebay debug --last 200');
});
