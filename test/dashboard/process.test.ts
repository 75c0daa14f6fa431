import { existsSync, readFileSync } from 'node:fs';
import type { TurnsAnswer } from '../../core/dashboard/protocol';
import type { ProcessEvent } from '../../core/record/process-event';
import { applyEvent, foldEvent, type ProcessView } from '../../core/record/process-view';
import { say, script, use } from '../agents/scripted-agent';
import { AgentHome } from '../setup/agent-home';
import { isAlive } from '../setup/daemon-home';
import { DashboardClient } from './dashboard-client';

const home = new AgentHome();
let client: DashboardClient;

beforeAll(async () => {
  client = await DashboardClient.open(home);
});

async function start(...words: string[]): Promise<number> {
  const { stdout, stderr } = await home.run('run', '--detach', '--no-stdin', ...words);
  const pid = Number(stdout.trim());
  if (!pid) throw new Error(`not started: ${stdout}${stderr}`);
  return pid;
}

/** As the page adds it up. */
async function detail(pid: number): Promise<{ view: ProcessView; events: ProcessEvent[] }> {
  const events = await client.record(pid);
  return { events, view: events.reduce(foldEvent, undefined as ProcessView | undefined)! };
}

test('the detail has the whole record, and what it adds up to', async () => {
  const pid = await start(script([say('Let me ask. '), use('llm_other', { prompt: 'Hi' })], [say('Done.')]));
  await home.run('wait', String(pid));
  const { view, events } = await detail(pid);
  const { stdout } = await home.run('trace', String(pid), '--json');
  const { events: traced, ...tracedView } = JSON.parse(stdout) as { events: unknown };
  expect(events).toEqual(traced);
  expect(view).toEqual(tracedView);
  expect(view.steps.map(({ provider, hitRate }) => [provider, hitRate])).toEqual([
    ['main', 0.4],
    ['other', 0.4],
    ['main', 0.4],
  ]);
});

test('a running one goes on with the live events of higher numbers', async () => {
  const before = await client.events();
  const gate = `${home.directory}/pid`;
  const pid = await start(script([say('one '), { sleepOn: ['cli', gate] }]), '--provider', 'cli');
  await before.until(({ live }) => live.some((event) => event.kind === 'process' && event.event.type === 'text'));
  const { view, events } = await detail(pid);
  expect(view.state).toBe('running');
  expect((await client.kill(pid)).status).toBe(202);
  await before.until(({ live }) => live.some((event) => event.kind === 'process' && event.event.type === 'exit'));
  before.close();
  const last = events.at(-1)!.seq;
  for (const event of before.live) {
    if (event.kind === 'process' && event.pid === pid && event.event.seq > last) applyEvent(view, event.event);
  }
  expect(view).toEqual((await detail(pid)).view);
  expect(view).toMatchObject({ state: 'killed', end: { reason: 'killed' } });
});

test('killing one ends its programs, and once is enough', async () => {
  const file = `${home.directory}/program`;
  const pid = await start(script([{ sleepOn: ['cli', file] }]), '--provider', 'cli');
  const reader = await client.events();
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await new Promise(setImmediate);
  const program = Number(readFileSync(file, 'utf8'));
  expect(isAlive(program)).toBe(true);
  expect(await (await client.kill(pid)).json()).toMatchObject({ pid });
  await reader.until(({ live }) => live.some((event) => event.kind === 'process' && event.event.type === 'exit'));
  reader.close();
  expect(isAlive(program)).toBe(false);
  const again = await client.kill(pid);
  expect([again.status, await again.json()]).toMatchObject([409, { error: { code: 'not_running' } }]);
});

// access.test.ts has the kill of an unknown process.
test('an unknown process is 404', async () => {
  const answer = await client.get('api/processes/4711/events');
  const error = { code: 'no_process', hint: 'see: drivebay ps -a' };
  expect([answer.status, await answer.json()]).toMatchObject([404, { error }]);
});

test('a long record arrives whole', async () => {
  const pieces = Array.from({ length: 3_000 }, (_, index) => ({
    trace: ['scripted.note', { index, pad: 'x'.repeat(50) }],
  }));
  // Too long for an argument.
  const workingDirectory = home.directory;
  const request = { intent: script([...pieces, say('x')]), workingDirectory, project: { workingDirectory } };
  const { pid } = JSON.parse((await home.call('POST', '/v1/processes', request)).text) as { pid: number };
  await home.run('wait', String(pid));
  const { view, events } = await detail(pid);
  expect(events.filter(({ type }) => type === 'driver')).toHaveLength(3_000);
  expect(view.state).toBe('done');
});

test('records of a daemon before are there, too', async () => {
  await home.run('daemon', 'stop');
  client = await DashboardClient.open(home);
  const state = await client.state();
  expect(state.processCount).toBe(state.processes.length);
  expect(state.processes.map(({ pid }) => pid)).toEqual(
    Array.from({ length: state.processCount }, (_, index) => state.processCount - index),
  );
  expect((await detail(1)).view.state).toBe('done');
});

test('usage is that of the ledger, by day and provider', async () => {
  const { usage } = await client.json<{ usage: { key: string; part: string; turns: number }[] }>(
    'api/usage?by=day&split=provider',
  );
  expect([...new Set(usage.map(({ part }) => part))]).toEqual(expect.arrayContaining(['main', 'other', 'cli']));
  const { usage: byClient } = await client.json<{ usage: { part: string | null; turns: number }[] }>(
    'api/usage?by=day&split=client',
  );
  // Nothing but the owner's own agents has asked here.
  expect([...new Set(byClient.map(({ part }) => part))]).toEqual([null]);
  const whole = await client.json<{ usage: { turns: number }[] }>('api/usage?by=day');
  const turns = (rows: { turns: number }[]) => rows.reduce((sum, row) => sum + row.turns, 0);
  expect(turns(whole.usage)).toBe(turns(usage));
  const { stdout } = await home.run('usage', '--by', 'day', '--json');
  expect((JSON.parse(stdout) as { usage: unknown }).usage).toEqual(whole.usage);
  const none = await client.json<{ usage: unknown[] }>('api/usage?by=provider&from=0&to=1');
  expect(none.usage).toEqual([]);
});

test('without limits and clients the report of them is empty', async () => {
  expect(await client.json('api/limits')).toEqual({ clients: [], providers: [], strangers: null });
});

test('the turns of today are those of the ledger, the latest first, with who asked', async () => {
  const { turns, count } = await client.json<TurnsAnswer>('api/turns');
  const { usage } = await client.json<{ usage: { turns: number }[] }>(
    `api/usage?by=day&from=${Date.now() - 60 * 60 * 1000}`,
  );
  expect([turns.length, count]).toEqual([usage[0]!.turns, usage[0]!.turns]);
  expect(turns.map(({ time }) => time)).toEqual(turns.map(({ time }) => time).sort((a, b) => b - a));
  expect(turns.at(-1)).toMatchObject({ source: 1, provider: 'main', ok: true, usage: { inputTokens: 100 } });
});

test.each(['by=hour', 'from=x', 'from=-1e308', 'to=1e308', 'from=9e15', 'from=Infinity', 'split=day'])(
  'usage that cannot be meant is refused: %s',
  async (query) => {
    const answer = await client.get(`api/usage?${query}`);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'invalid_request' } }]);
  },
);
