import { valueOf, type LocatedMap } from '../../core/config/located';
import { mergeEntries, type Entry } from '../../core/config/merge';
import { located } from './helpers';

function entriesOf(file: string, ...texts: string[]): Entry[] {
  return texts.map((text, index) => {
    const fields = located(text, file) as LocatedMap;
    const name = fields.entries.get('name');
    if (name?.kind !== 'scalar') throw new Error('an entry without a name');
    return { name: String(name.value), fields, path: `providers[${index}]` };
  });
}

const merged = (base: string, override: string) =>
  mergeEntries(entriesOf('global.yaml', `name: a\n${base}`), entriesOf('project.yaml', `name: a\n${override}`))[0];

test.each([
  ['the project wins', 'mode: call', 'mode: stream', { mode: 'stream' }],
  ['an absent key does not override', 'mode: call', '', { mode: 'call' }],
  ['an empty text overrides', 'default_model: m', 'default_model: ""', { default_model: '' }],
  ['an empty list overrides', 'extra_args: [a]', 'extra_args: []', { extra_args: [] }],
  ['false overrides', 'gateway_tools: true', 'gateway_tools: false', { gateway_tools: false }],
  ['lists are replaced', 'extra_args: [a, b]', 'extra_args: [c]', { extra_args: ['c'] }],
  ['maps are merged by key', 'models: {m: {w: 1}}', 'models: {n: {w: 2}}', { models: { m: { w: 1 }, n: { w: 2 } } }],
  ['maps in maps too', 'models: {m: {w: 1, x: 1}}', 'models: {m: {w: 2}}', { models: { m: { w: 2, x: 1 } } }],
  ['an empty map takes nothing away', 'models: {m: {w: 1}}', 'models: {}', { models: { m: { w: 1 } } }],
  ['another kind replaces a map', 'models: {m: {w: 1}}', 'models: 5', { models: 5 }],
  ['a looser limit does not override', 'requests_per_minute: 3', 'requests_per_minute: 9', { requests_per_minute: 3 }],
  ['a stricter limit overrides', 'tokens_per_minute: 30', 'tokens_per_minute: 9', { tokens_per_minute: 9 }],
  ['a limit of its own counts', '', 'requests_per_minute: 9', { requests_per_minute: 9 }],
  [
    'of the budgets the smaller one of each period counts',
    'budget_usd: {day: 1, month: 30}',
    'budget_usd: {day: 100, month: 3}',
    { budget_usd: { day: 1, month: 3 } },
  ],
  [
    'a field of another map is no limit',
    'models: {budget_usd: 1}',
    'models: {budget_usd: 2}',
    { models: { budget_usd: 2 } },
  ],
  ['__proto__ is a key like any other', '__proto__: {x: 1}', '__proto__: {mode: call}', {}],
])('%s', (_, base, override, result) => {
  const entry = merged(base, override);
  expect(entry && valueOf(entry.fields)).toEqual({ name: 'a', ...result });
});

test('every value keeps its place', () => {
  const fields = merged('mode: call\nmodels: {m: 1}', 'models: {n: 2}')?.fields;
  const models = fields?.entries.get('models');
  expect(fields?.entries.get('mode')?.place).toEqual({ file: 'global.yaml', line: 2, column: 7 });
  expect(models?.kind === 'map' && [...models.entries.values()].map(({ place }) => place)).toEqual([
    { file: 'global.yaml', line: 3, column: 13 },
    { file: 'project.yaml', line: 2, column: 13 },
  ]);
});

test('merging changes neither side', () => {
  const base = entriesOf('global.yaml', 'name: a\nmodels: {m: 1}');
  const override = entriesOf('project.yaml', 'name: a\nmodels: {n: 1}');
  const before = JSON.stringify([base, override].flat().map(({ fields }) => valueOf(fields)));
  mergeEntries(base, override);
  expect(JSON.stringify([base, override].flat().map(({ fields }) => valueOf(fields)))).toBe(before);
});
