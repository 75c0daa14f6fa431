import { configAt } from '../../core/config/find-config';
import { loadConfig, type ProviderEntry } from '../../core/config/load';
import { formatProblem, type Problem } from '../../core/errors';
import { parseManifest } from '../../core/plugins/manifest';
import { resolveEntry } from '../../core/plugins/resolve-entry';
import { tempHome } from '../setup/temp-home';

const home = tempHome();

const manifest = parseManifest(
  JSON.stringify({
    apiVersion: 1,
    driver: 'parrot',
    kind: 'http',
    main: './index.js',
    required: ['base_url'],
    options: {
      base_url: {},
      api_key_env: { default: 'PARROT_KEY' },
      thinking_budget: {},
      // A looser type than core's own.
      grace_sec: { type: 'number' },
      reasoning_effort: { enum: ['', 'low', 'high'] },
      feathers: { enum: ['', 'red', 'green'], default: 'green' },
      volume: { type: 'integer', minimum: 1, maximum: 11, default: 5 },
      tricks: { type: 'array', items: { type: 'string' } },
      cage: { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] },
    },
  }),
);

const known = new Set([...Object.keys(manifest.options), 'sandbox']);

/** The options of one provider entry, from a real file. */
function resolve(lines: string, changes: Partial<ProviderEntry> = {}, entryManifest = manifest) {
  const file = home.write('providers.yaml', `version: "1"\nproviders:\n  - name: polly\n    driver: parrot\n${lines}`);
  const { entries, problems } = loadConfig({ global: configAt(file) });
  if (!entries[0]) throw new Error(problems.map(formatProblem).join('\n'));
  const resolved = resolveEntry({ ...entries[0], ...changes }, entryManifest, known);
  const show = (list: Problem[]) => list.map((problem) => formatProblem(problem).replace(`${file}:`, ''));
  return { ...resolved, problems: show(resolved.problems), warnings: show(resolved.warnings) };
}

const URL_LINE = '    base_url: http://localhost:1\n';

describe('options go to their owner', () => {
  test('core’s own are kept apart from the driver’s; absent ones get the manifest’s default, or stay absent', () => {
    const { common, driver, problems, warnings } = resolve(
      `${URL_LINE}    default_model: ara\n    max_tokens: 7\n    tricks: [sing, "dance"]\n`,
    );
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
    expect(common).toMatchObject({ name: 'polly', driver: 'parrot', default_model: 'ara', max_tokens: 7 });
    expect(common).toMatchObject({ mode: 'stream', timeout_sec: 0, models: {} });
    expect(driver).toEqual({
      base_url: 'http://localhost:1',
      api_key_env: 'PARROT_KEY',
      feathers: 'green',
      volume: 5,
      tricks: ['sing', 'dance'],
    });
  });

  test('an explicit empty value is the user’s word, not an absence', () => {
    const { driver, problems } = resolve(`${URL_LINE}    feathers: ""\n    tricks: []\n    thinking_budget: 0\n`);
    expect(problems).toEqual([]);
    expect(driver).toMatchObject({ feathers: '', tricks: [], thinking_budget: 0 });
  });
});

describe('what the driver does not take is ignored with a warning at its place', () => {
  const at = '6:5: provider "polly":';

  test.each([
    ['an option of another driver', 'sandbox: strict', `${at} driver "parrot" does not use sandbox, ignored`],
    ['a shared option that the manifest does not name', 'extra_args: [a]', `${at} unknown option extra_args, ignored`],
    [
      'an option with a secret',
      'api_key: sk-very-secret',
      `${at} api_key is ignored, because keys are never in this file; put the key into an environment variable, and write its NAME here: api_key_env: NAME`,
    ],
    [
      'the name that others have for an option',
      'model: m',
      'unknown option model, ignored; did you mean default_model?',
    ],
    ['a misspelt option', 'volumne: 3', `${at} unknown option volumne, ignored; did you mean volume?`],
    [
      'a misspelt option of core',
      'defualt_model: x',
      'unknown option defualt_model, ignored; did you mean default_model?',
    ],
    ...['xyzzy', 'constructor', 'toString', 'hasOwnProperty', '__proto__'].map((key) => [
      `a key called ${key}`,
      `${key}: 1`,
      `${at} unknown option ${key}, ignored`,
    ]),
    [
      'a key inside of an option of core',
      'models: { ara: { context_window: 5, color: red } }',
      '6:41: providers[0].models.ara.color: unknown key, ignored',
    ],
  ])('%s', (_, line, warning) => {
    const { driver, warnings, problems } = resolve(`${URL_LINE}    ${line}\n`);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining(warning)]);
    expect(warnings.join()).not.toContain('secret');
    expect(Object.keys(driver)).toEqual(['base_url', 'api_key_env', 'feathers', 'volume']);
  });

  test.each(['ann:hunter2@', 'hunter2@', ':hunter2@'])('a user and a password in an address: %s', (user) => {
    const { warnings, problems } = resolve(`    base_url: http://${user}localhost:1/v1\n`);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      '5:15: providers[0].base_url: the user and the password in it are not sent; ' +
        'take them out, and set api_key_env to the NAME of a variable that holds a key',
    ]);
  });

  test.each(['api_key', 'key', 'token'])('a key in the query of an address: %s', (name) => {
    const { warnings, problems } = resolve(`    base_url: http://localhost:1/v1?v=2&${name}=hunter2\n`);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      '5:15: providers[0].base_url: its query seems to hold a key, and keys are not for this file; ' +
        'take it out, and set api_key_env to the NAME of a variable that holds the key',
    ]);
    expect(resolve('    base_url: http://localhost:1/v1?api-version=2024-10-21\n').warnings).toEqual([]);
  });
});

// test/config/problems.test.ts has the words for each sort of mistake.
describe('values are held against the schema', () => {
  test.each([
    ['a declared option', 'volume: loud', '6:13: providers[0].volume: found the text "loud", expected a whole number'],
    ['a missing part', 'cage: {}', '6:11: providers[0].cage.size: found nothing, expected a number'],
    ['a shared option', 'thinking_budget: -1', '6:22: providers[0].thinking_budget: found the number -1'],
    ['a shared option that the manifest narrows', 'reasoning_effort: medium', 'expected one of "", low, high'],
    ['one that it cannot widen', 'grace_sec: 1.5', '6:16: providers[0].grace_sec: found the number 1.5'],
    ['an option of core', 'timeout_sec: soon', '6:18: providers[0].timeout_sec: '],
  ])('%s', (_, line, message) => {
    const { problems } = resolve(`${URL_LINE}    ${line}\n`);
    expect(problems).toEqual([expect.stringContaining(message)]);
  });

  test('a shared option without a schema of the manifest’s has the type that core knows', () => {
    const { problems } = resolve('    base_url: ftp://x\n    api_key_env: "not a name"\n');
    expect(problems).toEqual([
      expect.stringContaining('5:15: providers[0].base_url: '),
      expect.stringContaining('expected the NAME of an environment variable'),
    ]);
  });
});

describe('what the manifest requires', () => {
  test('and the entry does not set is a problem with the line to add', () => {
    const { problems } = resolve('');
    expect(problems).toEqual([
      '3:5: providers[0]: provider "polly" needs base_url, driver "parrot" cannot work without it; add a line "base_url: ..."',
    ]);
  });

  test('a required option under another name is said where it stands', () => {
    for (const name of ['baseurl', 'url', 'endpoint']) {
      const { problems } = resolve(`    ${name}: http://x\n`);
      expect(problems.join()).toMatch(new RegExp(`^5:5: .* needs base_url, .*; write base_url in place of ${name}$`));
    }
  });

  test('and the project file may not set yet waits for trust', () => {
    const { problems, held } = resolve('', { held: ['base_url'] });
    expect(problems).toEqual([]);
    expect(held).toEqual(['base_url']);
  });
});
