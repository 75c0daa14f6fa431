import { readFileSync } from 'node:fs';
import { kill as endProgram } from 'node:process';
import { until } from '../setup/until';
import { isAlive } from '../subprocess/open-programs';
import { Agents } from './agents';
import { say, script, use, type Action } from './scripted-agent';

let agents: Agents;

const PROVIDERS = `
  - { name: cli, driver: worker, timeout_sec: 3 }
  - { name: slow, driver: worker, timeout_sec: 3 }
  - { name: second, driver: worker }
  - { name: main, driver: talker, default_model: m }
  - { name: other, driver: talker, default_model: o }`;

function open(routes: string, agent = '{}'): void {
  const yaml = `version: "1"\nproviders:${PROVIDERS}\nroutes: ${routes}\n`;
  agents = Agents.open({ yaml, files: { 'work/agent.yaml': agent } });
}

const SMART = '[{ name: smart, targets: [cli, second, other] }]';
const failing = (name: string, ...failure: unknown[]): Action => ({ failOn: [name, ...failure] });
const pidIn = (file: string) => Number.parseInt(readFileSync(file, 'utf8'), 10);

test('each target that an agent asked is a step, and the one that answers is its provider', async () => {
  open(SMART);
  const { process, text, ...ended } = await run([failing('cli', 'rate_limited', 'slow'), say('done')]);
  expect(text).toBe('done');
  expect(ended.fallbacks).toEqual([['cli', 'second', 'slow']]);
  expect(process.view).toMatchObject({
    provider: 'second',
    steps: [
      { provider: 'cli', finish: 'failed' },
      { provider: 'second', finish: 'stop' },
    ],
  });
});

test('the program of a target is gone before the next one starts in the same folder', async () => {
  open(SMART);
  const file = agents.home.write('pid', '');
  const process = agents.spawn(script([{ stubbornOn: ['cli', file, 500] }, say('saved')]), { provider: 'smart' });
  let isLeft: boolean | undefined;
  for await (const event of process.events()) if (event.type === 'fallback') isLeft = isAlive(pidIn(file));
  expect(isLeft).toBe(false);
  expect([await process.ended, process.view.provider]).toMatchObject([{ state: 'done' }, 'second']);
});

test('so it is where the route is the fallback, and within that route', async () => {
  open('[{ name: spare, targets: [slow, other] }]', 'models: { fallback: spare }');
  const files = { cli: agents.home.write('cli', ''), slow: agents.home.write('slow', '') };
  const stubborn = Object.entries(files).map(([name, file]) => ({ stubbornOn: [name, file, 300] }));
  const process = agents.spawn(script([...stubborn, say('saved')]), { provider: 'cli' });
  const left: [string, string, boolean][] = [];
  for await (const event of process.events()) {
    if (event.type !== 'fallback') continue;
    const { from, to } = event;
    left.push([from, to, isAlive(pidIn(files[from as keyof typeof files]))]);
  }
  expect(left).toEqual([
    ['cli', 'spare', false],
    ['slow', 'other', false],
  ]);
  expect(await process.ended).toMatchObject({ state: 'done' });
});

test('after a kill while the program of a target ends, no target is asked and none is recorded', async () => {
  open(SMART);
  const file = agents.home.write('pid', '');
  const process = agents.spawn(script([{ stubbornOn: ['cli', file, 60_000] }, say('saved')]), { provider: 'smart' });
  await until(() => readFileSync(file, 'utf8').endsWith('!'));
  process.kill('killed');
  endProgram(pidIn(file), 'SIGKILL');
  expect(await process.ended).toMatchObject({ state: 'killed' });
  expect(isAlive(pidIn(file))).toBe(false);
  const types: string[] = [];
  for await (const { type } of process.events()) types.push(type);
  expect(types.filter((type) => type === 'step' || type === 'fallback')).toEqual(['step']);
});

test.each([
  ['of a route', SMART, '{}', 'smart'],
  ['with a route as fallback', '[{ name: spare, targets: [second, other] }]', 'models: { fallback: spare }', 'cli'],
  [
    'in a route that is the fallback',
    '[{ name: spare, targets: [cli, other] }]',
    'models: { fallback: spare }',
    'main',
  ],
])('an agent CLI %s that has acted is followed by no other', async (_, routes, agent, provider) => {
  open(routes, agent);
  const acted = { type: 'activity', tool: 'shell' };
  const steps = [failing('main', 'upstream', 'broke'), acted, failing('cli', 'upstream', 'broke'), say('saved')];
  const { process, fallbacks } = await run(steps, provider);
  expect(process.view).toMatchObject({ state: 'failed', provider: 'cli' });
  expect(fallbacks.map(([, to]) => to)).toEqual(provider === 'main' ? ['spare'] : []);
});

test('a route and its fallback that both fail name who failed last in each', async () => {
  open('[{ name: smart, targets: [main] }, { name: spare, targets: [second, other] }]', 'models: { fallback: spare }');
  const { process } = await run([{ fail: ['upstream', 'broke'] }]);
  expect(process.view.end).toMatchObject({ message: 'provider "main": broke; provider "other": broke' });
});

async function run(actions: Action[], provider = 'smart') {
  const ended = await agents.run(script(actions), { provider });
  return {
    process: ended.process,
    text: ended.text,
    fallbacks: ended.of('fallback').map(({ from, to, reason }) => [from, to, reason]),
  };
}

describe('a route stands where a provider does', () => {
  const steps = script([failing('cli', 'auth', 'no'), say('done')]);

  test('as the default, and as the provider of agent.yaml', async () => {
    agents = Agents.open({
      yaml: `version: "1"\ndefault_provider: smart\nproviders:${PROVIDERS}\nroutes: ${SMART}\n`,
      files: { 'work/agent.yaml': '{}' },
    });
    const byDefault = await agents.run(steps);
    expect(byDefault.of('resolve')).toMatchObject([{ provider: 'smart', driverKind: 'route' }]);
    expect(byDefault.process.view).toMatchObject({ state: 'done', provider: 'second' });
    agents.home.write('work/agent.yaml', 'models: { provider: smart, preferred: own }');
    const byFile = await agents.run(steps);
    // The other target rests by now.
    expect(byFile.process.view).toMatchObject({ provider: 'second', steps: [{ model: 'own' }] });
  });

  test('as a tool of a model', async () => {
    open('[{ name: smart, targets: [cli, other] }]');
    const prompt = script([failing('cli', 'auth', 'no'), say('the tool says')]);
    const ended = await agents.run(script([use('llm_smart', { prompt })], [{ tell: 'request' }]), { provider: 'main' });
    expect(ended.of('tool_result')).toMatchObject([{ text: 'the tool says', isError: false }]);
    // The answer of a tool is no fallback of the process.
    expect([ended.of('fallback'), ended.process.view.provider]).toEqual([[], 'main']);
  });

  test('in a compose file', async () => {
    open(SMART);
    const file = agents.home.write(
      'work/flow.yaml',
      JSON.stringify({ agents: { one: { intent: steps, provider: 'smart' } } }),
    );
    const { workingDirectory } = agents.request('x');
    const run = agents.table.compose.up(agents.agentProject, { file, workingDirectory });
    for await (const event of run.events()) if (event.type === 'end') expect(event.state).toBe('done');
    expect(await agents.table.list()).toMatchObject([{ state: 'done', provider: 'second' }]);
  });
});
