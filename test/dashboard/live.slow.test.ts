import { applyLiveEvent } from '../../core/dashboard/apply-live-event';
import type { DashboardState, ProviderRow } from '../../core/dashboard/protocol';
import { say, script, use } from '../agents/scripted-agent';
import { AgentHome } from '../setup/agent-home';
import { RunningGateway } from '../setup/running-gateway';
import { DashboardClient, type EventReader } from './dashboard-client';

const home = new AgentHome();
let client: DashboardClient;
let gateway: RunningGateway;

beforeAll(async () => {
  await home.start();
  gateway = await RunningGateway.start([], { env: home.environment() });
  client = await DashboardClient.open(home);
});
afterAll(() => gateway.stop());

function provider(state: DashboardState, name: string, root: string | null = null): ProviderRow {
  const found = state.providers.find((row) => row.project === root && row.name === name);
  if (!found) throw new Error(`no ${name} in ${JSON.stringify(state.providers)}`);
  return found;
}

/** Chats of the gateway take a prompt as their script, as agents do. */
const ask = (content: string, model = 'main') => gateway.chat({ model, messages: [{ role: 'user', content }] });

/** Takes the events that a page gets into the state that it has loaded. */
async function follow(from: DashboardState, reader: EventReader, to: number): Promise<DashboardState> {
  await reader.until(({ live }) => (live.at(-1)?.id ?? from.lastEventId) >= to);
  for (const event of reader.live) if (event.id <= to) applyLiveEvent(from, event);
  return from;
}

test('a page that takes the events since an old state is where the daemon is; requests and steps count alike', async () => {
  const before = await client.state();
  const old = ['main', 'other'].map((name) => provider(before, name).sinceStart);
  const reader = await client.events(before.lastEventId);
  await (await ask('hello')).text();
  await (await ask(script([{ fail: ['upstream', 'broken', {}] }]))).text();
  await home.run(script([say('first'), use('llm_other', { prompt: 'Hi' })], [say('second')]));
  await home.run(script([{ fail: ['rejected', 'no', {}] }]));
  const after = await client.state();
  const page = await follow(before, reader, after.lastEventId);
  reader.close();
  expect(page.requests).toEqual(after.requests);
  expect(page.processes).toEqual(after.processes);
  expect(page.processCount).toBe(after.processCount);
  const more = ['main', 'other'].map((name, index) => {
    expect(live(provider(page, name))).toEqual(live(provider(after, name)));
    const { turns, failed, inputTokens, cachedInputTokens } = provider(after, name).sinceStart;
    const { turns: oldTurns, failed: oldFailed, inputTokens: oldInput, cachedInputTokens: oldCached } = old[index]!;
    return [turns - oldTurns, failed - oldFailed, inputTokens - oldInput, cachedInputTokens - oldCached];
  });
  // Two requests and three steps of main; those that failed used nothing.
  expect(more).toEqual([
    [5, 2, 300, 120],
    [1, 0, 100, 40],
  ]);
});

/** What events tell. */
function live({ sinceStart, today, turns, status, reason }: ProviderRow) {
  return { sinceStart, today, turns, status, reason };
}

test('what was before the first look is counted, too', async () => {
  const other = new AgentHome();
  const own = await RunningGateway.start([], { env: other.environment() });
  const chat = (content: string) => own.chat({ model: 'main', messages: [{ role: 'user', content }] });
  await Promise.all(['a', 'b', 'c'].map(async (text) => (await chat(text)).text()));
  await other.run('an intent');
  const page = await DashboardClient.open(other);
  const state = await page.state();
  expect(provider(state, 'main')).toMatchObject({
    sinceStart: { turns: 4, failed: 0, inputTokens: 400, outputTokens: 40, cachedInputTokens: 160 },
    today: { turns: 4 },
    turns: Array.from({ length: 4 }, () => ({ ok: true, firstMs: expect.any(Number) })),
    latency: [{ ms: expect.any(Number) }],
  });
  expect(state.requests).toHaveLength(3);
  expect(state.processes).toMatchObject([{ intent: 'an intent', state: 'done', steps: 1, provider: 'main' }]);
  // A new daemon begins anew; the day does not.
  await own.stop();
  const next = await DashboardClient.open(other);
  const fresh = provider(await next.state(), 'main');
  expect([fresh.sinceStart.turns, fresh.today.turns]).toEqual([0, 4]);
});

test('a request is there while it goes on, and how it ended', async () => {
  const running = new AbortController();
  const reader = await client.events();
  const body = { model: 'other:m-7', stream: true, messages: [{ role: 'user', content: script([{ hang: true }]) }] };
  const answer = gateway.chat(body, { signal: running.signal }).catch(() => undefined);
  await reader.until(({ live }) => live.some(({ kind }) => kind === 'request'));
  const [row] = (await client.state()).requests;
  expect(row).toMatchObject({ provider: 'other', model: 'm-7', stream: true, project: null });
  expect(row).not.toHaveProperty('end');
  running.abort();
  await answer;
  await reader.until(({ live }) => live.filter(({ kind }) => kind === 'request').length === 2);
  reader.close();
  const [ended] = (await client.state()).requests;
  expect(ended).toMatchObject({ id: row!.id, end: { status: 499, ms: expect.any(Number) } });
});

test('facts are those of providers status, with the purse that pays', async () => {
  const { stdout } = await home.run('providers', 'status', '--json');
  const { providers } = JSON.parse(stdout) as { providers: ProviderRow[] };
  const state = await client.state();
  expect(providers.map(({ name }) => name)).toContain('main');
  for (const { name, driver, kind, status, model } of providers) {
    expect(provider(state, name)).toMatchObject({ name, driver, kind, status, model });
  }
  expect(provider(state, 'main')).toMatchObject({ pays: 'no key' });
});

test('drivers of programs are asked who pays while a page is open', async () => {
  const other = new AgentHome();
  const facts = '{ billing: subscription }';
  other.configure(
    'version: "1"\nproviders:\n' +
      `  - { name: cli, driver: worker, facts: ${facts} }\n` +
      '  - { name: dumb, driver: worker }\n' +
      `  - { name: http, driver: plain, facts: ${facts} }\n`,
  );
  const page = await DashboardClient.open(other);
  expect(provider(await page.state(), 'cli')).toMatchObject({ status: 'unchecked', pays: null });
  const reader = await page.events();
  await reader.until(({ live }) => live.some((event) => event.kind === 'daemon' && event.event.what === 'metadata'));
  await reader.until(({ live }) => live.filter(({ kind }) => kind === 'provider').length >= 3);
  reader.close();
  const state = await page.state();
  expect(provider(state, 'cli')).toMatchObject({
    ...{ status: 'healthy', pays: 'subscription', latencyMs: null, latency: [] },
  });
  expect(provider(state, 'dumb')).toMatchObject({ pays: null });
  expect(provider(state, 'http')).toMatchObject({ pays: 'no key', latency: [{}] });
});

test('each project has its own providers, and what happens in it is its own', async () => {
  const yaml =
    'version: "1"\ndefault_provider: main\nproviders:\n  - { name: main, driver: talker, default_model: p-1 }\n' +
    '  - { name: other, default_model: p-2 }\n';
  home.write('project/.drivebay/providers.yaml', yaml);
  const root = `${home.directory}/project`;
  const before = await client.state();
  expect(new Set(before.providers.map(({ project }) => project))).toEqual(new Set([null]));
  const reader = await client.events(before.lastEventId);
  await home.runIn(root, ['run', 'work', '--no-stdin']);
  await reader.until(({ live }) => live.some((event) => event.kind === 'daemon' && event.event.what === 'projects'));
  reader.close();
  // A page that is told so loads the state again.
  const opened = reader.live.find(({ kind }) => kind === 'daemon')!;
  expect(applyLiveEvent({ ...before }, opened)).toBe(false);
  const after = await client.state();
  const [global, own] = ['~/.config/drivebay/providers.yaml', '~/project/.drivebay/providers.yaml'];
  const turns = [{ ms: expect.any(Number), firstMs: expect.any(Number), ok: true }];
  expect(provider(after, 'main', root)).toMatchObject({ model: 'p-1', files: [own], sinceStart: { turns: 1 }, turns });
  expect(provider(after, 'other', root).files).toEqual([global, own]);
  expect(provider(after, 'cli', root).files).toEqual([global]);
  expect(provider(after, 'main').sinceStart).toEqual(provider(before, 'main').sinceStart);
  expect(after.processes[0]).toMatchObject({ intent: 'work', project: root });
});

test('listeners come and go', async () => {
  const second = await RunningGateway.start([], { env: home.environment() });
  const open = (await client.state()).listeners.map(({ port, serves }) => ({ port, serves }));
  expect(open).toHaveLength(2);
  expect(open).toContainEqual({ port: second.port, serves: 'gateway' });
  await second.stop();
  const reader = await client.events();
  while ((await client.state()).listeners.length > 1) await reader.until(({ live }) => live.length > 0);
  reader.close();
});
