import { Agents } from './agents';
import { script } from './scripted-agent';

let agents: Agents;

const YAML = `version: "1"
default_provider: main
providers:
  - { name: main, driver: talker, default_model: m-1, reasoning_effort: low }
  - { name: other, driver: talker, default_model: o-1 }
  - { name: bare, driver: talker }
  - { name: cli, driver: worker }
`;

const open = (manifest?: string) =>
  Agents.open({ yaml: YAML, files: manifest === undefined ? {} : { 'work/agent.yaml': manifest } });

async function resolved(more: Parameters<Agents['run']>[1] = {}) {
  const ended = await agents.run(script([{ tell: 'request' }]), more);
  const { provider, model, effort, decidedBy } = ended.of('resolve')[0]!;
  const told = JSON.parse(ended.text) as { model?: string; reasoningEffort?: string };
  return { provider, model, effort, decidedBy, told };
}

test('the provider: flag, agent.yaml, default_provider', async () => {
  agents = open('models: { provider: other }');
  expect(await resolved({ provider: 'cli' })).toMatchObject({ provider: 'cli', decidedBy: { provider: '--provider' } });
  expect(await resolved({ provider: '' })).toMatchObject({ provider: 'other', decidedBy: { provider: 'agent.yaml' } });
  agents.home.write('work/agent.yaml', '');
  expect(await resolved()).toMatchObject({ provider: 'main', decidedBy: { provider: 'default_provider' } });
});

test.each(['mian', 'main:m-2', 'main/m-2'])('an unknown provider is a usage error that names all: %s', (provider) => {
  agents = open();
  expect(() => agents.spawn('hi', { provider })).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: `there is no provider "${provider}"`,
      hint: 'did you mean main? (providers: main, other, bare, cli)',
    }),
  );
});

test('a model that begins as the name of a provider goes out as it is, with a notice that names the flag for the provider', async () => {
  agents = open();
  expect(await resolved({ model: 'other:o-2' })).toMatchObject({ provider: 'main', told: { model: 'other:o-2' } });
  const notices = async (more: Parameters<Agents['run']>[1]) => (await agents.run('hi', more)).notices;
  expect(await notices({ model: 'other:o-2' })).toEqual([
    '--model "other:o-2" is the full name of a model; to ask provider "other": --provider other --model o-2',
  ]);
  expect(await notices({ model: 'llama3:8b' })).toEqual([]);
  expect(await notices({ provider: 'main', model: 'other:o-2' })).toEqual([]);
});

test('a key in the place of the model starts no process, and no message has it', () => {
  const key = 'sk-proj-0123456789abcdefABCDEF';
  agents = open();
  expect(() => agents.spawn('hi', { model: key })).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: 'provider "main" has no model (not shown: it looks like a key)',
    }),
  );
  agents = open(`models: { provider: main, preferred: ${key} }`);
  expect(() => agents.spawn('hi')).toThrow(
    /agent\.yaml:1:\d+: models\.preferred: provider "main" has no model \(not shown/,
  );
});

describe('without any default_provider', () => {
  const yaml = 'version: "1"\nproviders: [{ name: main, driver: talker, default_model: m-1 }]';

  test('the built-in provider works, with a notice, and is no device', async () => {
    agents = Agents.open({ yaml, files: { 'work/agent.yaml': 'models: { fallback: main }' } });
    // It has no key here, so nothing leaves this machine.
    const { provider, decidedBy, told } = await resolved();
    expect({ provider, decidedBy }).toMatchObject({ provider: 'deepseek', decidedBy: { provider: 'built-in' } });
    expect(told).toMatchObject({ model: 'm-1' });
    const { notices } = await agents.run('hi');
    expect(notices).toEqual([
      'there is no default_provider, so the built-in provider "deepseek" is used; ' +
        'use --provider NAME, or set default_provider in providers.yaml (providers: main)',
    ]);
    expect(agents.project.devices.llms().map(({ name }) => name)).toEqual(['main']);
    expect(agents.project.defaultProvider).toBeUndefined();
    expect(() => agents.spawn('hi', { provider: 'deepseek' })).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  test.each(['version: "1"\nproviders: []', ''])(
    'it works with a notice where no provider is configured: %j',
    async (none) => {
      agents = Agents.open({ yaml: none });
      const ended = await agents.run('hi');
      expect(ended.of('resolve')[0]).toMatchObject({ provider: 'deepseek', decidedBy: { provider: 'built-in' } });
      expect(ended.notices).toContain(
        'there is no default_provider, so the built-in provider "deepseek" is used; ' +
          'add a provider to providers.yaml, and set default_provider',
      );
    },
  );

  test('its key counts as one of the configuration', () => {
    agents = Agents.open({ yaml });
    expect(agents.project.variables).toContain('DEEPSEEK_API_KEY');
  });

  test("a provider of the user's own with its name stands in for it", async () => {
    agents = Agents.open({ yaml: yaml.replace('name: main', 'name: deepseek') });
    expect(await resolved()).toMatchObject({ provider: 'deepseek', model: 'm-1', decidedBy: { provider: 'built-in' } });
    expect((await agents.run('hi')).notices).toEqual([]);
  });
});

test('the model: flag, models.preferred, default_model', async () => {
  agents = open('models: { preferred: special }');
  const flag = await resolved({ model: 'mine' });
  expect(flag).toMatchObject({ model: 'mine', told: { model: 'mine' }, decidedBy: { model: '--model' } });
  const preferred = await resolved();
  expect(preferred).toMatchObject({ model: 'special', told: { model: 'special' }, decidedBy: { model: 'agent.yaml' } });
  agents.home.write('work/agent.yaml', '');
  expect(await resolved()).toMatchObject({
    model: 'm-1',
    told: { model: 'm-1' },
    decidedBy: { model: 'default_model' },
  });
});

test('a preferred model belongs to models.provider', async () => {
  agents = open('models: { provider: other, preferred: special }');
  expect(await resolved()).toMatchObject({ provider: 'other', model: 'special' });
  expect(await resolved({ provider: 'other' })).toMatchObject({ model: 'special' });
  expect(await resolved({ provider: 'main' })).toMatchObject({ model: 'm-1', decidedBy: { model: 'default_model' } });
});

test('an API without a model is a usage error, an agent CLI has its own', async () => {
  agents = open();
  expect(() => agents.spawn('hi', { provider: 'bare' })).toThrow(expect.objectContaining({ code: 'usage' }));
  const { model, told, decidedBy } = await resolved({ provider: 'cli' });
  expect([model, told.model, decidedBy.model]).toEqual([undefined, undefined, undefined]);
});

test('the effort: flag, agent.yaml, provider, none', async () => {
  agents = open('models: { reasoning_effort: Medium }');
  const flag = await resolved({ effort: 'HIGH' });
  expect(flag).toMatchObject({
    effort: 'HIGH',
    told: { reasoningEffort: 'HIGH' },
    decidedBy: { effort: '--reasoning-effort' },
  });
  const typed = await resolved({ effort: 'HIGH', effortFlag: '--effort' });
  expect(typed.decidedBy).toMatchObject({ effort: '--effort' });
  expect(await resolved()).toMatchObject({ told: { reasoningEffort: 'Medium' }, decidedBy: { effort: 'agent.yaml' } });
  agents.home.write('work/agent.yaml', '');
  const provider = await resolved({ effort: '' });
  expect(provider).toMatchObject({
    effort: 'low',
    told: { reasoningEffort: 'low' },
    decidedBy: { effort: 'providers.yaml' },
  });
  const { effort, told } = await resolved({ provider: 'other' });
  expect([effort, told.reasoningEffort]).toEqual([undefined, undefined]);
});

test('a driver that ignores the effort causes a notice', async () => {
  agents = open();
  const ended = await agents.run('hi', { provider: 'cli', effort: 'high' });
  expect(ended.notices).toEqual(['provider "cli" ignores reasoning_effort']);
  expect(ended.end?.state).toBe('done');
});

test('a compose file is a tier of its own name', async () => {
  agents = open();
  const { decidedBy } = await resolved({ compose: 'run-1', provider: 'other', effort: 'high' });
  expect(decidedBy).toEqual({ provider: 'compose file', model: 'default_model', effort: 'compose file' });
});
