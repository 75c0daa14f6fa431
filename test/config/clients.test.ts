import { join } from 'node:path';
import { digestOf, readClientKeys } from '../../core/config/client-keys';
import { Environment } from '../../core/config/environment';
import { configured } from './configured';

const { home, load, lines } = configured();

const PROVIDERS = `version: "1"
providers:
  - { name: a, driver: x }
routes:
  - { name: smart, targets: [a] }
  - { name: "c*", targets: [a] }
`;
const DIGEST = 'ab'.repeat(32);

const withClients = (...clients: string[]) =>
  load(`${PROVIDERS}clients:\n${clients.map((client) => `  - ${client}\n`).join('')}`);

test('a client has a key, what it may ask for, and its limits', () => {
  const { clients, problems, warnings } = withClients(
    '{ name: editor, api_key_env: EDITOR_KEY, allow: [smart, a, "a:m:1", "c*"], max_concurrency: 4, requests_per_minute: 60, tokens_per_minute: 9, budget_usd: { day: 5, month: 50 } }',
    `{ name: ci, key_sha256: "${DIGEST.toUpperCase()}" }`,
  );
  const file = join(home.directory, 'global.yaml');
  expect([problems, warnings]).toEqual([[], []]);
  expect(clients).toEqual([
    {
      name: 'editor',
      keyVariable: 'EDITOR_KEY',
      allow: ['smart', 'a', 'a:m:1', 'c*'],
      maxConcurrency: 4,
      limits: { requests_per_minute: 60, tokens_per_minute: 9, budget_usd: { day: 5, month: 50 } },
      place: { file, line: 8, column: 13 },
    },
    { name: 'ci', keyDigest: DIGEST, limits: {}, place: { file, line: 9, column: 13 } },
  ]);
});

test('a file without clients has none, and an empty list is a list', () => {
  expect(load(PROVIDERS).clients).toBeUndefined();
  for (const text of ['clients: []\n', 'clients:\n  # - name: editor\n']) {
    expect(load(PROVIDERS + text)).toMatchObject({ clients: [], problems: [], warnings: [] });
  }
});

test.each([
  ['{ name: a b, api_key_env: K }', 'clients[0].name: found the text "a b", expected a name of letters'],
  [
    '{ name: AIzaSyD0123456789abcDEF01-by-mistake, api_key_env: K }',
    'name: found a text (not shown), expected a name, and',
  ],
  ['{ name: x }', 'clients[0]: found no key, expected api_key_env or key_sha256; add a line: api_key_env:'],
  [`{ name: x, api_key_env: K, key_sha256: "${DIGEST}" }`, 'found api_key_env and key_sha256, expected one of them'],
  ['{ name: x, key_sha256: sk-a-key-by-mistake }', 'key_sha256: found a text (not shown), expected a SHA-256 in hex'],
  ['{ name: x, api_key_env: sk-a-key-by-mistake }', 'api_key_env: found a text (not shown), expected the NAME'],
  ['{ name: x, api_key_env: K, allow: smart }', 'allow: found the text "smart", expected a list'],
  ['{ name: x, api_key_env: K, requests_per_minute: 0 }', 'requests_per_minute: found the number 0'],
  ['{ name: x, api_key_env: K, tokens_per_minute: -1 }', 'tokens_per_minute: found the number -1'],
  ['{ name: x, api_key_env: K, max_concurrency: 1.5 }', 'max_concurrency: found the number 1.5'],
  ['{ name: x, api_key_env: K, budget_usd: { day: 0 } }', 'budget_usd.day: found the number 0'],
  ['{ name: x, api_key_env: K, budget_usd: {} }', 'budget_usd: found a map, expected day and/or month: { day: 5 }'],
  ['{ name: x, api_key_env: K, budget_usd: 5 }', 'found the number 5, expected day and/or month: { day: 5 }'],
  ['{ name: x, api_key_env: K, budget_usd: { week: 5 } }', 'budget_usd: found a map, expected day and/or month'],
])('%s is a mistake with its place', (client, message) => {
  const { problems } = withClients(client);
  expect(lines(problems)).toEqual([expect.stringMatching(/^global\.yaml:8:\d+: clients\[0\]/)]);
  expect(lines(problems)[0]).toContain(message);
  expect(lines(problems)[0]).not.toContain('by-mistake');
});

test('a name and a key belong to one client', () => {
  const { problems } = withClients(
    '{ name: x, api_key_env: K }',
    '{ name: x, api_key_env: K }',
    `{ name: y, key_sha256: "${DIGEST}" }`,
    `{ name: z, key_sha256: "${DIGEST.toUpperCase()}" }`,
  );
  expect(lines(problems)).toEqual([
    expect.stringContaining('clients[1].name: found "x" a second time'),
    expect.stringContaining('clients[1].api_key_env: found the key of client "x", expected one of its own'),
    expect.stringContaining('clients[3].key_sha256: found the key of client "y", expected one of its own'),
  ]);
});

test('an unknown key and an unknown name in allow are warnings', () => {
  const { warnings, problems } = withClients('{ name: x, api_key_env: K, alow: [a], allow: [smrt, "b:m"] }');
  expect(problems).toEqual([]);
  expect(lines(warnings)).toEqual([
    expect.stringContaining('clients[0].alow: unknown key, ignored; did you mean allow?'),
    expect.stringContaining(
      'clients[0].allow[0]: found the text "smrt", which is neither a provider nor a route here; did you mean smart?',
    ),
    expect.stringContaining('clients[0].allow[1]: found the text "b:m"'),
  ]);
});

test('clients of a project file do not count', () => {
  const project = 'version: "1"\nclients:\n  - { name: evil, api_key_env: PATH }\n';
  for (const [global, clients] of [
    [PROVIDERS, undefined],
    [`${PROVIDERS}clients: [{ name: x, api_key_env: K }]\n`, [expect.objectContaining({ name: 'x' })]],
  ] as const) {
    const loaded = load(global, project);
    expect(loaded.clients).toEqual(clients);
    expect(lines(loaded.warnings)).toEqual([
      'project.yaml:2:1: clients: only your own file names clients, ignored here; put them into global.yaml',
    ]);
  }
});

test('a client may be allowed what only a project has', () => {
  const global = `${PROVIDERS}clients: [{ name: x, api_key_env: K, allow: [own] }]\n`;
  const project = 'version: "1"\nproviders: [{ name: own, driver: x }]\n';
  expect(load(global, project).warnings).toEqual([]);
  expect(load(global).warnings).toHaveLength(1);
});

describe('the keys', () => {
  const entries = withClients(
    '{ name: editor, api_key_env: EDITOR_KEY }',
    '{ name: missing, api_key_env: MISSING_KEY }',
    `{ name: ci, key_sha256: "${digestOf('made-by-hand').toString('hex')}" }`,
    '{ name: twin, api_key_env: TWIN_KEY }',
  ).clients!;

  test('are those of the variables, and each opens for one client', () => {
    const environment = new Environment({
      processEnvironment: { EDITOR_KEY: ' key-of-the-editor\n', TWIN_KEY: 'made-by-hand' },
    });
    const [editor, missing, ci, twin] = readClientKeys({ entries, environment });
    expect(editor!.digest).toEqual(digestOf('key-of-the-editor'));
    expect(ci!.digest).toEqual(digestOf('made-by-hand'));
    expect(missing).toMatchObject({
      fault: {
        message: 'client "missing" cannot ask: MISSING_KEY is not set (looked in the environment of this command)',
        hint: expect.stringContaining('export MISSING_KEY=...'),
      },
    });
    expect([missing!.digest, twin!.digest]).toEqual([undefined, undefined]);
    expect(twin!.fault!.message).toBe('client "twin" has the key of client "ci", so it cannot ask');
  });

  test('come from the files of a project only where the environment has none', () => {
    home.write('cloned/.env', 'EDITOR_KEY=known-to-the-author\nMISSING_KEY=of-the-project\n');
    const environment = new Environment({
      projectRoot: join(home.directory, 'cloned'),
      processEnvironment: { EDITOR_KEY: 'of-the-owner' },
    });
    const [editor, missing] = readClientKeys({ entries, environment });
    expect(editor!.digest).toEqual(digestOf('of-the-owner'));
    expect(missing!.digest).toEqual(digestOf('of-the-project'));
  });
});
