import { refuseKey, routeFreely, routeModel } from '../../core/gateway/route-model';
import { DeviceTable } from '../../core/devices/device-table';

function table(...providers: [name: string, defaultModel?: string][]): DeviceTable {
  const devices = providers.map(([name, defaultModel]) => ({
    kind: 'llm',
    path: `/dev/llm/${name}`,
    name,
    defaultModel,
    contextWindows: new Map(),
  }));
  return new DeviceTable(devices);
}

const devices = table(['ollama', 'llama3'], ['groq', 'llama3'], ['gpt', 'o:1'], ['bare'], ['model-name', 'x']);

test.each<[string, string, string | undefined, string]>([
  ['ollama', 'ollama', undefined, 'a provider'],
  ['bare', 'bare', undefined, 'a provider without a default model'],
  ['ollama:phi', 'ollama', 'phi', 'a provider and a model'],
  ['ollama:llama3:8b', 'ollama', 'llama3:8b', 'split at the first colon'],
  ['groq:a/b:c', 'groq', 'a/b:c', 'a model with slashes'],
  ['ollama:', 'ollama', undefined, 'no model behind the colon'],
  ['llama3', 'ollama', 'llama3', 'a default model that two have: the first in the file'],
  ['o:1', 'gpt', 'o:1', 'a default model with a colon'],
  ['llama3:8b', 'groq', 'llama3:8b', 'a colon behind no provider: to the default provider, whole'],
  [':x', 'groq', ':x', 'a colon in front'],
  ['whatever', 'groq', 'whatever', 'anything else'],
  ['Ollama', 'groq', 'Ollama', 'names are exact'],
  ['__proto__', 'groq', '__proto__', "a name of an object's own"],
])('%s goes to %s with model %s (%s)', (requested, name, model) => {
  const route = routeModel(requested, devices, 'groq');
  expect(route.device.name).toBe(name);
  expect(route.model).toBe(model);
});

test('a provider name beats a default model of the same name', () => {
  const route = routeModel('two', table(['one', 'two'], ['two', 'x']), undefined);
  expect(route.device.name).toBe('two');
});

test('a provider and a model beat a default model that is spelled the same', () => {
  const route = routeModel('a:b', table(['first', 'a:b'], ['a', 'x']), undefined);
  expect(route).toMatchObject({ device: { name: 'a' }, model: 'b' });
});

test.each([
  ['nobody', devices, /"nobody".*available: ollama, groq, gpt, bare, model-name/],
  ['nobody', table(), /no provider is configured/],
])('without a default provider, %s is not found and the names are listed', (requested, all, message) => {
  expect(() => routeModel(requested, all, undefined)).toThrow(
    expect.objectContaining({
      status: 404,
      code: 'model_not_found',
      param: 'model',
      message: expect.stringMatching(message),
    }),
  );
});

test.each([
  ['groq/a/b:c', 'no provider for model "groq/a/b:c"; did you mean "groq:a/b:c"?'],
  ['nobody/x', 'no provider for model "nobody/x"; available: ollama, groq, gpt, bare, model-name'],
])(
  '%s, as other gateways write it, is told in the spelling of this one where the provider is there',
  (name, message) => {
    expect(() => routeModel(name, devices, undefined)).toThrow(message);
  },
);

describe('for the wires with free names', () => {
  test.each<[string, string, string | undefined, string]>([
    ['ollama:phi', 'ollama', 'phi', 'the four rules come first'],
    ['groq/a/b:c', 'groq', 'a/b:c', 'a provider and a model, split at the first slash'],
    ['groq/', 'groq', undefined, 'no model behind the slash'],
    ['nobody/x', 'gpt', 'nobody/x', 'a slash behind no provider: to the default provider, whole'],
    ['/x', 'gpt', '/x', 'a slash in front'],
    ['', 'gpt', undefined, 'no model: the default of the default provider'],
  ])('"%s" goes to %s with model %s (%s)', (requested, name, model) => {
    const route = routeFreely(requested, devices, 'gpt');
    expect([route.device.name, route.model]).toEqual([name, model]);
  });

  test('without a default provider, no name and no match are refused', () => {
    expect(() => routeFreely('', devices, undefined)).toThrow(/expected the name of a model/);
    expect(() => routeFreely('x/y', devices, undefined)).toThrow(/no provider for model "x\/y"/);
  });

  test('the slash is not for chat completions', () => {
    expect(routeModel('groq/a', devices, 'gpt').device.name).toBe('gpt');
  });
});

describe('a key in the place of a model', () => {
  const KEY = 'sk-proj-0123456789abcdefABCDEF';

  test.each([KEY, `ollama:${KEY}`, `nobody:${KEY}`, `groq/${KEY}`, `Bearer ${KEY}`])(
    'is refused unseen: %s',
    (model) => {
      let message = '';
      try {
        refuseKey(model, devices);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).toMatch(/^no provider for model \(not shown: it looks like a key\); available: ollama/);
    },
  );

  test.each(['sk-mine', 'own:sk-mine', 'skt/ko-gpt', 'deepseek-r1', 'task-rk-1', `meta/llama:${'0a1b2c3d'.repeat(8)}`])(
    'is not %s, where a provider has the model sk-mine',
    (model) => expect(() => refuseKey(model, table(['own', 'sk-mine']))).not.toThrow(),
  );

  test('is not what a pattern of the configuration begins like', () => {
    expect(() => refuseKey('sk-mine', table(['own'], ['sk-*']))).not.toThrow();
    expect(() => refuseKey('sk-mine', table(['own'], ['*']))).toThrow(/no provider/);
  });
});
