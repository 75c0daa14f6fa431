import { join } from 'node:path';
import { Agents } from './agents';
import { script } from './scripted-agent';

let agents: Agents;

const TELL = script([{ tell: 'request' }]);
const open = (text: string, more: Record<string, string> = {}) =>
  Agents.open({ files: { 'work/agent.yaml': text, ...more } });

interface Told {
  model: string;
  reasoningEffort?: string;
  messages: { role: string; parts: { text: string }[] }[];
}

async function told(more: Parameters<Agents['run']>[1] = {}): Promise<Told> {
  return JSON.parse((await agents.run(TELL, more)).text) as Told;
}

test('every mistake is told at once, with its place', async () => {
  agents = open(
    `name: [x]
instructions: 7
skills: [good, missng]
allowed_tools: plain
models:
  provider: mian
  fallback: 3
`,
    { 'work/.drivebay/skills/missing/SKILL.md': 'x', 'work/.drivebay/skills/good/SKILL.md': 'x' },
  );
  const problems = agents.problemsOf(() => agents.spawn('hi'));
  expect(problems).toEqual([
    '~/work/agent.yaml:1:7: name: found a list, expected a text',
    '~/work/agent.yaml:2:15: instructions: found the number 7, expected a text; put it in quotes',
    '~/work/agent.yaml:4:16: allowed_tools: found the text "plain", expected a list of texts; write it as a list: [...]',
    '~/work/agent.yaml:7:13: models.fallback: found the number 3, expected a text; put it in quotes',
    '~/work/agent.yaml:3:16: skill "missng": there is no folder ~/work/.drivebay/skills/missng, nor ' +
      '~/.config/drivebay/skills/missng, nor ~/work/missng; did you mean missing? (skills: good, missing)',
    '~/work/agent.yaml:6:13: models.provider: there is no provider "mian"; ' +
      'did you mean main? (providers: main, other, plain, cli, bundler)',
  ]);
  expect(await agents.store.list()).toEqual([]);
});

test.each([
  ['broken YAML', 'models: {', /agent\.yaml:\d+:\d+: not valid YAML/],
  [
    'a list',
    '- x',
    /agent\.yaml:1:1: found a list, expected a map with name, instructions, skills, allowed_tools, models/,
  ],
])('%s is an error', (_what, text, problem) => {
  agents = open(text);
  expect(agents.problemsOf(() => agents.spawn('hi'))).toEqual([expect.stringMatching(problem)]);
});

test('an unknown key is a warning, with the nearest known one', async () => {
  agents = open('instrctions: be brief\nmodels: { effort: high }\nprovider: main');
  const { notices } = await agents.run('hi');
  expect(notices.map((notice) => notice.replace(agents.home.directory, '~'))).toEqual([
    '~/work/agent.yaml:2:11: models.effort: unknown key, ignored; did you mean reasoning_effort?',
    '~/work/agent.yaml:1:1: instrctions: unknown key, ignored; did you mean instructions?',
    '~/work/agent.yaml:3:1: provider: unknown key, ignored; did you mean models.provider?',
  ]);
});

test('an empty file and empty values say nothing', async () => {
  agents = open('models: { provider: "", preferred: "", fallback: "", reasoning_effort: "" }');
  const ended = await agents.run('hi');
  expect(ended.of('resolve')).toMatchObject([{ decidedBy: { provider: 'default_provider', model: 'default_model' } }]);
  expect(ended.notices).toEqual([]);
});

test('a file of --agent is read instead, and has to exist', async () => {
  agents = open('name: first', { 'elsewhere/second.yaml': 'name: second\nmodels: { provider: other }' });
  const agentFile = join(agents.home.directory, 'elsewhere/second.yaml');
  const { process } = await agents.run('hi', { agentFile });
  expect(process.view).toMatchObject({ name: 'second', resolution: { decidedBy: { provider: 'second.yaml' } } });
  expect(() => agents.spawn('hi', { agentFile: `${agentFile}x` })).toThrow(expect.objectContaining({ code: 'usage' }));
});

test('without a project root there is no agent.yaml, and the intent stands alone as it is', async () => {
  agents = Agents.open();
  agents.home.write('work/agent.yaml', 'name: first');
  const { process, text } = await agents.run(TELL);
  expect(process.view.name).toBeUndefined();
  expect((JSON.parse(text) as Told).messages).toEqual([{ role: 'user', parts: [{ type: 'text', text: TELL }] }]);
});

test('a model gets instructions and skills as the system prompt, an agent CLI the places of the skills too', async () => {
  agents = open('instructions: Be brief.\nskills: [style, ./tools]', {
    'work/.drivebay/skills/style/SKILL.md': 'Write well.\n',
    'work/tools/SKILL.md': 'Use tools.',
    '.config/drivebay/skills/mine/SKILL.md': 'Mine.',
    '.config/drivebay/skills/style/SKILL.md': 'not this one',
  });
  const { messages } = await told({ skills: ['mine', 'style'] });
  expect(messages[0]).toEqual({
    role: 'system',
    parts: [
      {
        type: 'text',
        text: 'Be brief.\n\n# Skill: style\n\nWrite well.\n\n# Skill: tools\n\nUse tools.\n\n# Skill: mine\n\nMine.',
      },
    ],
  });
  const work = join(agents.home.directory, 'work');
  expect((await told({ provider: 'cli' })).messages[0]?.parts[0]?.text).toBe(
    `Be brief.\n\n# Skill: style\n\nThe files of this skill are in ${work}/.drivebay/skills/style\n\nWrite well.\n\n` +
      `# Skill: tools\n\nThe files of this skill are in ${work}/tools\n\nUse tools.`,
  );
});

test('a driver that hands the folders of skills to its program gets them instead of the texts', async () => {
  agents = open('instructions: Be brief.\nskills: [style]', {
    'work/.drivebay/skills/style/SKILL.md': 'Write well.\n',
  });
  expect((await told({ provider: 'bundler' })).messages[0]?.parts[0]?.text).toBe('Be brief.');
  const { text } = await agents.run(script([{ tell: 'workspace' }]), { provider: 'bundler' });
  const directory = join(agents.home.directory, 'work');
  const skills = [{ name: 'style', directory: join(directory, '.drivebay/skills/style') }];
  expect(JSON.parse(text)).toMatchObject({ directory, skills });
});

test('a skill with a name that no folder can have is none', () => {
  agents = open('name: a');
  const long = 'x'.repeat(300);
  expect(() => agents.spawn('hi', { skills: [long] })).toThrow(`skill "${long}": there is no folder `);
});

test('a skill without SKILL.md is an error', () => {
  agents = open('skills: [./empty]', { 'work/empty/README.md': 'x' });
  expect(agents.problemsOf(() => agents.spawn('hi', { skills: ['./gone'] }))).toEqual([
    '~/work/agent.yaml:1:10: skill "./empty": the folder ~/work/empty has no SKILL.md',
    'skill "./gone": there is no folder ~/work/gone; a skill is a folder with a SKILL.md',
  ]);
});
