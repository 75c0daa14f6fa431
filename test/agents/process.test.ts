import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../subprocess/open-programs';
import { until } from '../record/store';
import { Agents } from './agents';
import { say, script } from './scripted-agent';

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

test('the ledger has the pid of the process for each of its turns', async () => {
  agents = Agents.open();
  const { process } = await agents.run('say hello');
  await agents.ledger.flush();
  const folder = join(agents.state, 'usage');
  const [line] = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(JSON.parse(line!)).toMatchObject({ source: process.view.pid, provider: 'main', costUsd: 1.1, ok: true });
});

test('the intent reaches the model as it is, and stands alone where there is nothing to add', async () => {
  agents = Agents.open();
  const intent = script([{ tell: 'request' }]);
  const { messages } = JSON.parse((await agents.run(intent)).text);
  expect(messages).toEqual([{ role: 'user', parts: [{ type: 'text', text: intent }] }]);
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

test('the log lines of a driver are in the record of the process, except those of level debug', async () => {
  agents = Agents.open();
  const lines = [
    ['debug', 'a prompt'],
    ['info', 'asking again'],
    ['warn', 'strange', { tries: 2 }],
  ];
  const { process } = await agents.run(script([...lines.map((log) => ({ log })), say('Hello')]));
  const recorded = await agents.recorded(process.view.pid);
  expect(recorded.filter(({ type }) => type === 'log')).toMatchObject([
    { step: 1, level: 'info', message: 'asking again' },
    { step: 1, level: 'warn', message: 'strange', fields: { tries: 2 } },
  ]);
});

test('tools of an agent and retries of a driver are shown', async () => {
  agents = Agents.open();
  const actions = [
    { type: 'activity', tool: 'shell', detail: 'npm test' },
    { trace: ['worker.retry', { reason: '529' }] },
  ];
  const ended = await agents.run(script([...actions, say('ok')]), { provider: 'cli' });
  expect(ended.of('activity')).toMatchObject([{ step: 1, tool: 'shell', detail: 'npm test' }]);
  expect(ended.of('retry')).toMatchObject([{ step: 1, reason: '529' }]);
});

test.each(['killed', 'client_gone', 'shutdown'] as const)('a process that is ended as %s says so', async (reason) => {
  agents = Agents.open();
  const process = agents.spawn(HANG);
  for await (const { type } of process.events()) if (type === 'text') process.kill(reason);
  expect(await process.ended).toMatchObject({ state: 'killed', reason });
  expect(agents.table.list()).toEqual([]);
});

test('a killed process ends when no program of it is left', async () => {
  agents = Agents.open();
  const process = agents.spawn(script([{ program: true }]), { provider: 'cli' });
  let pids: number[] = [];
  for await (const event of process.events()) {
    if (event.type !== 'text') continue;
    pids = event.text.split(' ').map(Number);
    expect(pids.filter(isAlive)).toHaveLength(2);
    process.kill('killed');
  }
  expect(pids.filter(isAlive)).toEqual([]);
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

test('the end of a table ends its processes and takes no more', async () => {
  agents = Agents.open();
  const process = agents.spawn(HANG);
  await agents.table.close();
  expect(process.view.end).toMatchObject({ state: 'killed', reason: 'shutdown' });
  expect(() => agents.spawn('say hello')).toThrow('the daemon is being stopped');
});

test('a process is found by pid and uuid while it lives', async () => {
  agents = Agents.open();
  const process = agents.spawn(HANG);
  const { pid, uuid } = process.view;
  expect([pid, String(pid), uuid].map((id) => agents.table.find(id))).toEqual([process, process, process]);
  expect(agents.table.list()).toEqual([process.view]);
  process.kill('killed');
  await process.ended;
  expect(agents.table.find(pid)).toBeUndefined();
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
