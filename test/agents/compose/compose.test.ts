import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ComposeEvent } from '../../../core/agents/compose/compose-event';
import type { ComposeRun } from '../../../core/agents/compose/compose-run';
import type { ComposeTable } from '../../../core/agents/compose/compose-table';
import { until } from '../../setup/until';
import { Agents } from '../agents';
import { say, script, type Action } from '../scripted-agent';

let agents: Agents;
let compose: ComposeTable;

const write = (file: unknown) => ({ 'work/flow/compose.yaml': typeof file === 'string' ? file : JSON.stringify(file) });

function open(file: unknown, more: Record<string, string> = {}, yaml?: string): void {
  agents = Agents.open({ files: { ...write(file), ...more }, ...(yaml !== undefined && { yaml }) });
  ({ compose } = agents.table);
}

function up(file = 'flow/compose.yaml'): ComposeRun {
  const { workingDirectory } = agents.request('x');
  return compose.up(agents.agentProject, { file: join(workingDirectory, file), workingDirectory });
}

/** The states in the order in which they were told. */
async function follow(run: ComposeRun): Promise<{ states: string[]; events: ComposeEvent[] }> {
  const events: ComposeEvent[] = [];
  for await (const event of run.events()) events.push(event);
  const told = events.map((event) => (event.type === 'agent' ? `${event.agent} ${event.state}` : event.type));
  return { states: told.filter((each) => !each.endsWith('waiting')), events };
}

const answer = (...actions: Action[]) => script(actions);

/** A script whose texts are no references. */
const plain = (intent: string) => intent.replaceAll('{{', '\\u007b{');

test('agents run when those they need are done, and get their answers', async () => {
  open({
    name: 'release',
    agents: {
      sum: { intent: script([say('{{ left }}+{{right}}')]), needs: ['left'] },
      left: { intent: answer({ meet: 2 }, say('1')) },
      right: { intent: plain(answer({ meet: 2 }, say('{{left}}'))), provider: 'other' },
    },
  });
  const run = up();
  const { states, events } = await follow(run);
  expect(states.slice(0, 2).sort()).toEqual(['left running', 'right running']);
  expect(states.slice(4)).toEqual(['sum running', 'sum done', 'end']);
  expect(events.at(-1)).toEqual({ type: 'end', state: 'done' });
  const sum = (await agents.store.list()).find(({ name }) => name === 'sum');
  expect(sum).toMatchObject({ compose: 'release', intent: script([say('1+{{left}}')]) });
  expect(compose.list()).toEqual([]);
});

test('a reference behind a backslash is the text itself', async () => {
  open({ agents: { one: { intent: 'x' }, two: { intent: '{{one}}, not \\{{one}}, nor {{ o n e }}' } } });
  await follow(up());
  const two = (await agents.store.list()).find(({ name }) => name === 'two');
  expect(two?.intent).toBe('Hello, not {{one}}, nor {{ o n e }}');
});

test('a failed agent stops the agents that need it, and no others', async () => {
  open({
    agents: {
      bad: { intent: answer({ fail: ['rejected', 'no such thing'] }) },
      next: { intent: 'x', needs: ['bad'] },
      last: { intent: 'x', needs: ['next'] },
      good: { intent: 'x' },
    },
  });
  const run = up();
  const { states, events } = await follow(run);
  expect(states).toContain('good done');
  expect(run.view.agents).toMatchObject([
    { agent: 'bad', state: 'failed', pid: expect.any(Number), message: 'provider "main": no such thing' },
    { agent: 'next', state: 'skipped', message: 'it needs "bad", which is failed' },
    { agent: 'last', state: 'skipped', message: 'it needs "next", which is skipped' },
    { agent: 'good', state: 'done' },
  ]);
  expect(events.at(-1)).toEqual({ type: 'end', state: 'failed' });
});

test('down ends the running agents, and starts no more', async () => {
  open({ agents: { one: { intent: answer({ hang: true }) }, two: { intent: 'x', needs: ['one'] } } });
  const run = up();
  await until(async () => (await agents.table.list())[0]?.state === 'running');
  expect(compose.list()).toMatchObject([{ name: 'flow', agents: [{ state: 'running' }, { state: 'waiting' }] }]);
  expect(() => up()).toThrow(expect.objectContaining({ code: 'usage', message: 'compose "flow" runs already' }));
  agents.home.write('work/other/flow/compose.yaml', JSON.stringify({ agents: { one: { intent: 'x' } } }));
  agents.home.write('work/named.yaml', JSON.stringify({ name: 'flow', agents: { one: { intent: 'x' } } }));
  expect(up('other/flow/compose.yaml').view.name).toBe('flow-2');
  expect(() => up('named.yaml')).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^compose "flow" runs already, from .*work\/flow\/compose\.yaml$/) as string,
    }),
  );
  run.down();
  expect((await follow(run)).states.slice(-3)).toEqual(['one killed', 'two skipped', 'end']);
  expect(run.view.state).toBe('killed');
});

test('provider, model, effort, agent and skills are those of the file, from its folder', async () => {
  open(
    {
      agents: {
        one: {
          intent: script([{ tell: 'request' }]),
          ...{ provider: 'other', model: 'm', reasoning_effort: 'high', agent: 'one.yaml', skills: ['./tools'] },
        },
      },
    },
    { 'work/flow/one.yaml': 'instructions: Be brief.', 'work/flow/tools/SKILL.md': 'Use tools.' },
  );
  const run = up();
  await run.ended;
  const events = await agents.recorded(run.view.agents[0]!.pid!);
  const told = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  expect(JSON.parse(told)).toMatchObject({
    model: 'm',
    reasoningEffort: 'high',
    messages: [{ parts: [{ text: 'Be brief.\n\n# Skill: tools\n\nUse tools.' }] }, {}],
  });
});

test('unknown names and circles are reported with their places', () => {
  open(`agents:
  plan: { intent: plan, needs: [review] }
  build: { intent: "build {{plan}}", needs: [plann] }
  review: { intent: "review {{build}} {{buld}}" }
  self: { intent: x, needs: [self] }
  left: { intent: "{{right}}" }
  right: { intent: x, needs: [left] }
`);
  const all = 'agents: plan, build, review, self, left, right';
  expect(agents.problemsOf(() => up())).toEqual([
    `~/work/flow/compose.yaml:3:46: agents.build.needs: there is no agent "plann"; did you mean plan? (${all})`,
    '~/work/flow/compose.yaml:4:21: agents.review.intent: there is no agent "buld"; ' +
      `did you mean build? (${all}); for the text itself write \\{{buld}}`,
    '~/work/flow/compose.yaml:2:33: agents.plan.needs: found a circle, plan needs review needs build needs plan; ' +
      'take one of these needs out',
    '~/work/flow/compose.yaml:5:30: agents.self.needs: found a circle, self needs self; take one of these needs out',
    '~/work/flow/compose.yaml:6:19: agents.left.intent: found a circle, left needs right needs left; ' +
      'take one of these needs out',
  ]);
});

test('every mistake in an agent is reported before the first one starts', async () => {
  open(
    `agents:
  one: { intent: x, provider: mian }
  two: { intent: x, agent: two.yaml }
  three: { intent: x, agent: two.yaml }
  four: { intent: " " }
  five: { intent: x, agent: gone.yaml }
  six: { intent: x, skills: [gone, ~/gone] }
  seven: { intent: x, provider: bare }
  eight: { intent: x }
`,
    { 'work/flow/two.yaml': 'name: [x]' },
    `version: "1"
default_provider: main
providers: [{ name: main, driver: talker, default_model: m }, { name: bare, driver: talker }]
`,
  );
  expect(agents.problemsOf(() => up())).toEqual([
    '~/work/flow/compose.yaml:2:31: agents.one.provider: there is no provider "mian"; ' +
      'did you mean main? (providers: main, bare)',
    '~/work/flow/two.yaml:1:7: name: found a list, expected a text',
    '~/work/flow/compose.yaml:5:19: agents.four.intent: the intent is empty; say what to do',
    '~/work/flow/compose.yaml:6:29: agents.five.agent: there is no agent file ~/work/flow/gone.yaml',
    expect.stringContaining('~/work/flow/compose.yaml:7:29: agents.six.skills: skill "gone": there is no folder ~/'),
    expect.stringContaining(`agents.six.skills: skill "~/gone": there is no folder ${homedir()}/gone; `),
    '~/work/flow/compose.yaml:8:10: agents.seven.model: provider "bare" has no default_model; ' +
      'name a model, or set default_model in providers.yaml; its models: drivebay models bare',
  ]);
  expect(await agents.store.list()).toEqual([]);
});

test.each([
  ['agents: {}', 'agents: found none, expected at least one'],
  [
    'agents: { one: { intnt: x } }',
    'agents.one.intent: found nothing, expected a text that is not empty; did you mean intent where it says intnt?',
  ],
  ['services: {}', 'agents: found nothing, expected a map'],
  ['agents: [x]', 'agents: found a list, expected a map'],
])('%s is an error', (file, problem) => {
  open(file);
  expect(agents.problemsOf(() => up())).toEqual([expect.stringContaining(problem)]);
});
