import { join } from 'node:path';
import { configured } from './configured';

const { home, load, lines } = configured();

const PROVIDERS = `version: "1"
providers:
  - { name: a, driver: x }
  - { name: b, driver: x }
`;
const withRoutes = (...routes: string[]) => `${PROVIDERS}routes:\n${routes.map((route) => `  - ${route}\n`).join('')}`;
const target = (name: string, more: object = {}) => ({ name, weight: 1, ...more });

test('a route has its targets in order, each with its model and weight', () => {
  const { routes, problems } = load(
    withRoutes('{ name: smart, targets: [a, "b:m:1", { target: b, weight: 3 }], order: spread, timeout_sec: 9 }'),
  );
  const place = { file: join(home.directory, 'global.yaml'), line: 6, column: 13 };
  const targets = [target('a'), target('b', { model: 'm:1' }), target('b', { weight: 3 })];
  expect([routes, problems]).toEqual([[{ name: 'smart', targets, order: 'spread', timeoutSec: 9, place }], []]);
});

test('by default the order is a sequence, and no text behind the colon is no model', () => {
  const { routes } = load(withRoutes('{ name: "c*", targets: ["a:"] }'));
  expect(routes).toMatchObject([{ name: 'c*', targets: [target('a')], order: 'sequence', timeoutSec: 0 }]);
});

test('no route, and routes that are all commented out, are fine', () => {
  for (const text of [PROVIDERS, `${PROVIDERS}routes:\n  # - name: x\n`, `${PROVIDERS}routes: []\n`]) {
    expect(load(text)).toMatchObject({ routes: [], problems: [], warnings: [] });
  }
});

test('the project file wins field by field, replaces lists, and adds routes', () => {
  const { routes, problems } = load(
    withRoutes('{ name: smart, targets: [a], order: spread }'),
    'version: "1"\nroutes: [{ name: smart, targets: [b] }, { name: own, targets: [smart] }]\n',
  );
  expect(problems).toEqual([]);
  expect(routes).toMatchObject([
    { name: 'smart', targets: [target('b')], order: 'spread' },
    { name: 'own', targets: [target('smart')] },
  ]);
});

test('a route may be the default, a pattern may not', () => {
  const smart = withRoutes('{ name: smart, targets: [a] }');
  expect(load(`default_provider: smart\n${smart}`).defaultProvider?.name).toBe('smart');
  const { problems } = load(`default_provider: "s*"\n${withRoutes('{ name: "s*", targets: [a] }')}`);
  expect(lines(problems)).toEqual([
    expect.stringMatching(/^global\.yaml:1:19: default_provider: found the text "s\*"/),
  ]);
});

test.each([
  [
    'a target that names nobody',
    '{ name: smart, targets: [a, smrt] }',
    /^global\.yaml:6:33: routes\[0\]\.targets\[1\]: found the text "smrt", expected the name of a provider or of a route without a star; did you mean smart\? \(providers: a, b, smart\)$/,
  ],
  [
    'the same with a weight',
    '{ name: smart, targets: [{ target: "c:m" }] }',
    /^global\.yaml:6:40: .*found the text "c"/,
  ],
  [
    'a pattern as a target',
    '{ name: "x*", targets: ["x*"] }',
    /expected the name of a provider or of a route without a star/,
  ],
  [
    'the name of a provider',
    '{ name: a, targets: [b] }',
    /^global\.yaml:6:13: routes\[0\]\.name: found the text "a", expected a name that no provider has \(it is one at .*global\.yaml:3:13\)$/,
  ],
  [
    'itself',
    '{ name: smart, targets: [a, smart] }',
    /^global\.yaml:6:13: routes\[0\]\.targets: found a circle \(smart -> smart\)/,
  ],
  [
    'a name with a colon',
    '{ name: "a:b", targets: [a] }',
    /^global\.yaml:6:13: routes\[0\]\.name: found the text "a:b", expected a name of letters, digits.*or a pattern with "\*"$/,
  ],
  ['no name', '{ targets: [a] }', /routes\[0\]\.name: found nothing/],
  [
    'no targets',
    '{ name: smart }',
    /^global\.yaml:6:5: routes\[0\]\.targets: found nothing, expected a list of at least 1 item$/,
  ],
  [
    'an empty list',
    '{ name: smart, targets: [] }',
    /^global\.yaml:6:29: routes\[0\]\.targets: found a list of 0, expected a list of at least 1 item$/,
  ],
  [
    'an order that there is not',
    '{ name: smart, targets: [a], order: spred }',
    /^global\.yaml:6:41: routes\[0\]\.order: found the text "spred", expected one of sequence, spread; did you mean spread\?$/,
  ],
  [
    'a weight of 0',
    '{ name: smart, targets: [{ target: a, weight: 0 }] }',
    /^global\.yaml:6:51: routes\[0\]\.targets\[0\]\.weight: found the number 0, expected a whole number/,
  ],
  ['a text', 'smart', /routes\[0\]/],
])('%s is a mistake with its place', (_, route, message) => {
  expect(lines(load(withRoutes(route)).problems)).toEqual([expect.stringMatching(message)]);
});

test('a circle of several routes is one mistake', () => {
  const { problems } = load(
    withRoutes(
      '{ name: one, targets: [two] }',
      '{ name: two, targets: [a, three] }',
      '{ name: three, targets: [one] }',
    ),
  );
  expect(lines(problems)).toEqual([
    'global.yaml:6:13: routes[0].targets: found a circle (one -> two -> three -> one), expected targets that end at providers',
  ]);
});

test('routes that double with each level are a mistake, told at once', () => {
  const levels = Array.from({ length: 60 }, (_, level) =>
    level === 0 ? '{ name: r0, targets: [a] }' : `{ name: r${level}, targets: [r${level - 1}, r${level - 1}] }`,
  );
  expect(lines(load(withRoutes(...levels)).problems)).toEqual([
    'global.yaml:16:13: routes[10].targets: found 1024 targets with those of the routes in it, expected at most 1000',
  ]);
});

test('the same name twice is a mistake, and a misspelt key a warning', () => {
  const { problems, warnings } = load(
    withRoutes(
      '{ name: smart, targets: [a] }',
      '{ name: smart, targets: [b] }',
      '{ name: c, target: [a], targets: [a] }',
    ),
  );
  expect(lines(problems)).toEqual([
    expect.stringMatching(/^global\.yaml:7:13: routes\[1\]\.name: found "smart" a second time/),
  ]);
  expect(lines(warnings)).toEqual(['global.yaml:8:16: routes[2].target: unknown key, ignored; did you mean targets?']);
});

test('a provider that cannot be read does not make its routes wrong', () => {
  const broken = 'version: "1"\nproviders: [{ name: a b, driver: x }]\nroutes: [{ name: smart, targets: [c] }]\n';
  expect(lines(load(broken).problems)).toHaveLength(1);
});
