import { chooseModel, type WantedModel } from '../../../core/cli/launch/choose-model';
import { hintOf } from '../../../core/errors';

const provider = (name: string, model: string | null, contextWindows: Record<string, number> = {}) => ({
  ...{ name, model, contextWindows, driver: 'nest', driverAlias: '', key: null, tools: true },
});

const PROVIDERS = [provider('main', 'm-1', { 'm-1': 64_000, big: 128_000 }), provider('bare', null)];

const choose = (wanted: WantedModel, defaultProvider: string | null = 'main', providers = PROVIDERS) =>
  chooseModel({ providers, defaultProvider, globalConfig: '/home/providers.yaml' }, wanted);

test.each<[WantedModel, object]>([
  [{}, { name: 'main:m-1', small: 'main:m-1', contextWindow: 64_000 }],
  [{ model: 'big' }, { name: 'main:big', small: 'main:big', contextWindow: 128_000 }],
  [{ model: 'constructor' }, { name: 'main:constructor', contextWindow: undefined }],
  [{ provider: 'bare' }, { name: 'bare', small: 'bare', contextWindow: undefined }],
  [
    { provider: 'bare', smallModel: 'tiny' },
    { name: 'bare', small: 'bare:tiny' },
  ],
  [{ smallModel: 'llama3:8b' }, { small: 'main:llama3:8b' }],
  [{ smallModel: 'bare:tiny' }, { small: 'bare:tiny' }],
  [{ smallModel: 'bare' }, { small: 'bare' }],
  [
    { provider: '', model: '', smallModel: '' },
    { name: 'main:m-1', small: 'main:m-1' },
  ],
])('%j', (wanted, expected) => {
  expect(choose(wanted)).toMatchObject(expected);
});

test('the only provider needs no choice', () => {
  expect(choose({}, null, PROVIDERS.slice(1)).name).toBe('bare');
});

test.each<[string, WantedModel, string | null, typeof PROVIDERS, string, RegExp]>([
  [
    'several, and no default',
    {},
    null,
    PROVIDERS,
    'which provider? There is no default_provider',
    /one of main, bare; or/,
  ],
  ['none at all', {}, null, [], 'no provider is configured', /drivebay providers add/],
  ['a near miss', { provider: 'mian' }, 'main', PROVIDERS, 'there is no provider "mian"', /did you mean main\?/],
])('%s', (_, wanted, standard, providers, message, hint) => {
  try {
    choose(wanted, standard, providers);
    throw new Error('it chose');
  } catch (error) {
    expect([(error as Error).message, hintOf(error)]).toEqual([message, expect.stringMatching(hint)]);
  }
});
