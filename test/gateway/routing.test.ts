import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningGateway } from '../setup/running-gateway';
import { HEALTHY } from '../setup/driver-code';
import { TempHome } from '../setup/temp-home';
import { logged, startScripted, stop, useScripted } from './scripted-driver';

const PROVIDERS = `
  - { name: ollama, driver: scripted, default_model: llama3 }
  - { name: groq, driver: scripted, default_model: llama3 }
  - { name: bare, driver: scripted }
  - { name: agent, driver: agent }
`;

let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({ yaml: `version: "1"\ndefault_provider: groq\nproviders:${PROVIDERS}` }),
);

test.each([
  ['ollama', 'ollama', 'llama3'],
  ['ollama:phi:3', 'ollama', 'phi:3'],
  ['gpt-x', 'groq', 'gpt-x'],
  ['agent', 'agent', undefined],
])('model %s is answered by %s with its model %s', async (model, provider, used) => {
  const response = await gateway.chat({ model, script: [{ echo: 'request' }, stop] });
  const body = (await response.json()) as { model: string; choices: { message: { content: string } }[] };
  expect(response.headers.get('x-drivebay-provider')).toBe(provider);
  expect(body.model).toBe(model);
  expect((JSON.parse(body.choices[0]!.message.content) as { model?: string }).model).toBe(used);
});

const NOT_SERVED = [{ fail: ['upstream', 'there is no such model', { kind: 'model_unavailable' }] }];

test.each([
  ['ollama/phi', 'provider "groq": there is no such model; did you mean "ollama:phi"?'],
  ['phi', 'provider "groq": there is no such model'],
])(
  'where the default provider does not have %s, the failure names a provider before the slash',
  async (model, told) => {
    const response = await gateway.chat({ model, script: NOT_SERVED });
    expect(((await response.json()) as { error: { message: string } }).error.message).toBe(told);
  },
);

describe('GET /v1/models', () => {
  interface List {
    object: string;
    data: { id: string; object: string; created: number; owned_by: string }[];
  }
  const list = async (of = gateway) => (await (await fetch(`${of.url}/v1/models`)).json()) as List;

  test('has two entries per provider, one where there is no default model, always with the same created', async () => {
    const first = await list();
    expect(first.object).toBe('list');
    expect(first.data.map(({ id, owned_by }) => [id, owned_by])).toEqual([
      ['ollama', 'ollama'],
      ['ollama:llama3', 'ollama'],
      ['groq', 'groq'],
      ['groq:llama3', 'groq'],
      ['bare', 'bare'],
      ['agent', 'agent'],
    ]);
    for (const { object, created } of first.data) {
      expect(object).toBe('model');
      expect(created).toBeGreaterThan(Date.now() / 1000 - 300);
      expect(Number.isInteger(created)).toBe(true);
    }
    expect(await list()).toEqual(first);
  });

  test('has every model of a provider with list_models, and waits for no list longer than a second', async () => {
    const own = new TempHome();
    const models = (body: string) => `module.exports = () => ({ ...${HEALTHY}, async models() { ${body} } });`;
    own.plugin('lister', { code: models(`return ['m-1', { name: 'm-2', contextWindow: 5 }];`) });
    own.plugin('endless', { code: models('await new Promise(() => {});') });
    const yaml = `version: "1"
providers:
  - { name: all, driver: lister, default_model: m-0, list_models: true }
  - { name: some, driver: lister, default_model: m-0 }
  - { name: slow, driver: endless, default_model: m-0, list_models: true }
`;
    const other = await startScripted(own, { yaml });
    try {
      const ids = (await list(other)).data.map(({ id }) => id);
      expect(ids).toEqual(['all', 'all:m-0', 'all:m-1', 'all:m-2', 'some', 'some:m-0', 'slow', 'slow:m-0']);
      const status = async (id: string) => (await fetch(`${other.url}/v1/models/${id}`)).status;
      const [unknown, known] = [status('some:m-2'), status('all:m-2')];
      // A model that is known already waits for no other list.
      expect(await Promise.race([unknown, known])).toBe(200);
      expect(await unknown).toBe(404);
      const told = async (id: string, headers = {}) =>
        ((await (await fetch(`${other.url}/v1/models/${id}`, { headers })).json()) as { error: { message: string } })
          .error.message;
      const goes = 'a request for it goes to "some"';
      expect(await told('some:m-2')).toBe(`the list of models does not have "some:m-2"; ${goes}`);
      expect(await told('some/m-2')).toBe('no provider for model "some/m-2"; did you mean "some:m-2"?');
      expect(await told('some/m-2', { 'anthropic-version': '2023-06-01' })).toContain(goes);
      expect(await told('nobody')).toBe('no provider for model "nobody"; available: all, some, slow');
    } finally {
      await other.stop();
      own.remove();
    }
  });

  test('leaves out who is offline, keeps who is not checked yet, and takes in who is back', async () => {
    const own = new TempHome();
    const yaml = `version: "1"
providers:
  - { name: good, driver: scripted, default_model: g }
  - { name: down, driver: scripted, default_model: d, check: fail }
  - { name: slow, driver: scripted, default_model: s, check: hang }
  - { name: back, driver: scripted, default_model: b, check: file }
`;
    const other = await startScripted(own, { yaml });
    const ids = async () => (await list(other)).data.map(({ id }) => id);
    try {
      await logged(other, 'down is offline: the backend is down; start it', { level: 'warn' });
      await other.untilOutput(/back is offline/);
      expect(await ids()).toEqual(['good', 'good:g', 'slow', 'slow:s']);
      // A good turn is as good as a check.
      writeFileSync(join(own.directory, 'backend-is-up'), '');
      expect((await other.chat({ model: 'back' })).status).toBe(200);
      expect(await ids()).toEqual(['good', 'good:g', 'slow', 'slow:s', 'back', 'back:b']);
      // An offline provider is still tried.
      expect((await other.chat({ model: 'down' })).status).toBe(200);
      expect(await ids()).toContain('down');
      // So is a failure that says that the backend is away.
      await other.chat({ model: 'good', script: [{ fail: ['unreachable', 'gone'] }] });
      expect(await ids()).not.toContain('good');
    } finally {
      await other.stop();
      own.remove();
    }
  });
});
