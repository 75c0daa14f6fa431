import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../setup/until';
import { Agents } from './agents';
import { ledgerFile } from '../../core/record/ledger-files';
import { say, script, use } from './scripted-agent';

let agents: Agents;

const HANG = script([say('working'), { hang: true }]);

test('a process resolves, runs, answers and ends, and each of these is an event', async () => {
  agents = Agents.open();
  const { events, process, end } = await agents.run('say hello', { name: 'greeter' });
  expect(events.map(({ type }) => type)).toEqual([
    ...['created', 'resolve', 'running', 'step', 'text', 'step_end', 'exit'],
  ]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(end).toEqual({ state: 'done', reason: 'finished' });
  expect(process.view).toMatchObject({ state: 'done', name: 'greeter', provider: 'main', model: 'm-1', costUsd: 1.1 });
  expect(process.view.steps).toMatchObject([{ step: 1, finish: 'stop', hitRate: 0.4 }]);
  expect((await agents.recorded(process.view.pid)).map(({ type }) => type)).toEqual(events.map(({ type }) => type));
});

test('the ledger on disk has the turns of a process when that ends, with its pid', async () => {
  agents = Agents.open();
  const { process } = await agents.run('say hello');
  const folder = join(agents.state, 'usage');
  const [line] = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(JSON.parse(line!)).toMatchObject({ source: process.view.pid, provider: 'main', costUsd: 1.1, ok: true });
});

test('a process warns if the usage of a step was not kept, even if that of its last step was', async () => {
  agents = Agents.open();
  const month = ledgerFile(agents.state, Date.now());
  mkdirSync(month, { recursive: true });
  const process = agents.spawn(script([use('llm_other', { prompt: 'hi' })], [say('last'), { meet: 2 }]));
  const notices: string[] = [];
  for await (const event of process.events()) {
    if (event.type === 'notice') notices.push(event.message);
    if (event.type !== 'text') continue;
    await agents.ledger.flush();
    rmdirSync(month);
    const next = await agents.run(script([{ meet: 2 }, say('next')]));
    expect([next.end?.state, next.notices]).toEqual(['done', []]);
  }
  expect(notices).toEqual([
    expect.stringMatching(/^the usage of this run may not be kept: .* is not a regular file; /),
  ]);
});

test('an agent CLI works in the folder of its client, and its facts are in the view', async () => {
  const providers = ['{ name: cli, driver: worker, facts: { resolved_bin: /bin/x } }'];
  agents = Agents.open({ providers });
  const ended = await agents.run(script([{ trace: ['worker.resolve', { bin: '/bin/x' }] }, { tell: 'workspace' }]), {
    provider: 'cli',
  });
  const workingDirectory = join(agents.home.directory, 'work');
  expect(JSON.parse(ended.text)).toEqual({ workingDirectory, skills: [], first: true });
  expect(ended.of('driver')).toMatchObject([{ step: 1, event: 'worker.resolve', fields: { bin: '/bin/x' } }]);
  expect(ended.process.view.metadata).toEqual({ resolved_bin: '/bin/x' });
});

test('log lines but those of level debug, tools of an agent and retries of a driver are in the record', async () => {
  agents = Agents.open();
  const actions = [
    { log: ['debug', 'a prompt'] },
    { log: ['info', 'asking again'] },
    { log: ['warn', 'strange', { tries: 2 }] },
    { type: 'activity', tool: 'shell', detail: 'npm test' },
    { trace: ['worker.retry', { reason: '529' }] },
  ];
  const { process } = await agents.run(script([...actions, say('ok')]), { provider: 'cli' });
  const recorded = await agents.recorded(process.view.pid);
  expect(recorded.filter(({ type }) => ['log', 'activity', 'retry'].includes(type))).toMatchObject([
    { type: 'log', step: 1, level: 'info', message: 'asking again' },
    { type: 'log', step: 1, level: 'warn', message: 'strange', fields: { tries: 2 } },
    { type: 'activity', step: 1, tool: 'shell', detail: 'npm test' },
    { type: 'retry', step: 1, reason: '529' },
  ]);
});

test.each(['killed', 'client_gone', 'shutdown'] as const)('a process that is ended as %s says so', async (reason) => {
  agents = Agents.open();
  const process = agents.spawn(HANG);
  for await (const { type } of process.events()) if (type === 'text') process.kill(reason);
  expect(await process.ended).toMatchObject({ state: 'killed', reason });
  expect(agents.table.count()).toMatchObject({ processes: 0 });
});

test('a process that waits for its slot can be killed, and never runs', async () => {
  const providers = ['{ name: cli, driver: worker, max_concurrency: 1 }'];
  agents = Agents.open({ providers });
  const first = agents.spawn(HANG, { provider: 'cli' });
  await until(() => first.view.state === 'running');
  const second = agents.spawn('say hello', { provider: 'cli' });
  expect(second.view.state).toBe('created');
  second.kill('killed');
  expect(await second.ended).toMatchObject({ state: 'killed' });
  expect(second.view.startedAt).toBeUndefined();
});

test('the time of a turn begins with its slot', async () => {
  const providers = ['{ name: cli, driver: worker, max_concurrency: 1, timeout_sec: 1 }'];
  agents = Agents.open({ providers });
  const slow = agents.spawn(HANG, { provider: 'cli' });
  const next = await agents.run('say hello', { provider: 'cli' });
  expect(await slow.ended).toMatchObject({ state: 'failed', code: 'timeout' });
  expect(next.end).toMatchObject({ state: 'done' });
});

test('a process is found by pid and uuid while it lives, and the end of the table ends it', async () => {
  agents = Agents.open();
  const process = agents.spawn(HANG);
  const { pid, uuid } = process.view;
  expect([pid, String(pid), uuid].map((id) => agents.table.find(id))).toEqual([process, process, process]);
  expect(agents.table.count()).toMatchObject({ processes: 1 });
  await agents.table.close();
  expect(agents.table.find(pid)).toBeUndefined();
  expect(process.view.end).toMatchObject({ state: 'killed', reason: 'shutdown' });
  expect(() => agents.spawn('say hello')).toThrow('the daemon is being stopped');
});

test('answers without text are failures, and a cut answer is a warning', async () => {
  agents = Agents.open();
  const finish = (reason: string) => ({ type: 'finish', reason });
  const cut = await agents.run(script([say('half'), finish('length')]));
  expect(cut.end).toMatchObject({ state: 'done' });
  expect(cut.notices).toEqual([expect.stringContaining('the answer is cut short')]);
  expect((await agents.run(script([finish('length')]))).end).toMatchObject({ state: 'failed', code: 'no_text' });
  expect((await agents.run(script([finish('content_filter')]))).end).toMatchObject({ code: 'content_filter' });
});
