import { join } from 'node:path';
import { configAt } from '../../core/config/find-config';
import { loadConfig } from '../../core/config/load';
import { valueOf } from '../../core/config/located';
import { configured } from './configured';

const { home, load, lines } = configured();
const folder = home.directory;

const A = '- {name: a, driver: x}';
const B = '- {name: b, driver: x}';
const file = (...providers: string[]) => `version: "1"\nproviders:\n${providers.map((line) => `  ${line}\n`).join('')}`;

test.each([
  ['routes', 'fast: [a]', 'write it as a list: - { name: fast, targets: [PROVIDER] }'],
  ['providers', 'openai: { base_url: x }', 'write it as a list: - { name: openai, driver: DRIVER }'],
  ['providers', 'AIzaSyD0123456789abcdefghijklmnopqrstuv: {}', 'write it as a list: - { name: NAME, driver: DRIVER }'],
  ['providers', '"a key: sk-1": {}', 'write it as a list: - { name: NAME, driver: DRIVER }'],
])('%s that are a map are shown their form', (list, entry, form) => {
  const { problems } = load(`version: "1"\n${list}:\n  ${entry}\n`);
  expect(lines(problems)).toEqual([`global.yaml:3:3: ${list}: found a map, expected a list; ${form}`]);
});

describe('a good configuration', () => {
  test('without any file nothing is found', () => {
    const config = loadConfig({
      global: configAt(join(folder, 'absent.yaml')),
      project: configAt(join(folder, 'absent2.yaml')),
    });
    expect(config).toEqual({
      entries: [],
      repeated: [],
      routes: [],
      files: [],
      found: false,
      problems: [],
      warnings: [],
      notices: [],
      rememberNotices: expect.any(Function) as unknown,
    });
  });

  test('entries come in file order with their places', () => {
    const config = load(`default_provider: b\n${file(A, B)}`);
    expect(config.entries.map(({ name, driver, path, held, place }) => [name, driver, path, held, place.line])).toEqual(
      [
        ['a', 'x', 'providers[0]', [], 4],
        ['b', 'x', 'providers[1]', [], 5],
      ],
    );
    expect(config.defaultProvider).toEqual({
      name: 'b',
      place: { file: join(folder, 'global.yaml'), line: 1, column: 19 },
    });
    expect(config).toMatchObject({ found: true, files: [join(folder, 'global.yaml')], problems: [], warnings: [] });
  });

  test.each([
    ['no providers', 'version: 1\n'],
    ['providers left empty', 'version: "1"\nproviders:\n  # - name: a\n'],
    ['an empty list', 'version: "1"\nproviders: []\n'],
    ['an empty default', 'version: "1"\ndefault_provider: ""\n'],
  ])('%s is fine', (_, text) => {
    expect(load(text)).toMatchObject({ found: true, entries: [], problems: [], warnings: [] });
  });

  test.each(['', '# only a comment\n', '---\n', '{}\n'])(
    'an empty file (%j) is no mistake, but worth a word',
    (text) => {
      const { problems, warnings, found, entries } = load(text);
      expect({ problems, found, entries }).toEqual({ problems: [], found: true, entries: [] });
      expect(lines(warnings)).toEqual([
        'global.yaml:1:1: the file is empty, so it configures no provider; add version: "1" and providers, or remove the file',
      ]);
    },
  );

  test('the project overrides the global file', () => {
    const config = load(
      file('- {name: a, driver: x, mode: call, max_tokens: 5}', B),
      file('- {name: c, driver: y}', '- {name: a, max_tokens: 7}'),
    );
    expect(config.problems).toEqual([]);
    expect(config.entries.map(({ path, fields }) => [path, valueOf(fields)])).toEqual([
      ['providers[a]', { name: 'a', driver: 'x', mode: 'call', max_tokens: 7 }],
      ['providers[1]', { name: 'b', driver: 'x' }],
      ['providers[0]', { name: 'c', driver: 'y' }],
    ]);
    expect(config.files).toHaveLength(2);
  });
});

describe('the default provider', () => {
  test.each([
    ['of the project wins', `default_provider: a\n${file(A, B)}`, 'version: 1\ndefault_provider: b\n', 'b'],
    ['of the project may be a global provider', file(A), 'version: 1\ndefault_provider: a\n', 'a'],
    ['of the global file may be one of the project', `default_provider: b\n${file(A)}`, file(B), 'b'],
    [
      'can be taken away by the project',
      `default_provider: a\n${file(A)}`,
      'version: 1\ndefault_provider: ""\n',
      undefined,
    ],
  ])('%s', (_, global, project, name) => {
    const config = load(global, project);
    expect(config.problems).toEqual([]);
    expect(config.defaultProvider?.name).toBe(name);
  });

  test('with an unknown name is a problem with a guess and the list', () => {
    const config = load(`default_provider: locl\n${file('- {name: local, driver: x}', A)}`);
    expect(lines(config.problems)).toEqual([
      'global.yaml:1:19: default_provider: found the text "locl", expected the name of a provider or of a route without a star; did you mean local? (providers: local, a)',
    ]);
    expect(config.defaultProvider).toBeUndefined();
  });

  test('without any provider is a problem', () => {
    expect(lines(load('version: 1\ndefault_provider: a\n').problems)).toEqual([
      'global.yaml:2:19: default_provider: found the text "a", expected the name of a provider or of a route without a star; no provider is configured',
    ]);
  });

  test.each([
    ['the entry is broken elsewhere', `default_provider: c\n${file('- {name: c, driver: 5}')}`, undefined],
    ['a name is broken', `default_provider: c\n${file('- {name: "c:", driver: x}')}`, undefined],
    ['the list is no list', 'version: 1\ndefault_provider: c\nproviders: {c: {driver: x}}\n', undefined],
    ['the other file is no YAML', `default_provider: c\n${file(A)}`, 'providers: [\n'],
    ['the other file is no map', `default_provider: c\n${file(A)}`, '- name: c\n'],
  ])('is no problem where %s', (_, global, project) => {
    const { problems } = load(global, project);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).not.toContain('default_provider:');
  });
});

describe('problems', () => {
  test('of both files are collected at once', () => {
    const config = load(
      `version: "2"\ndefault_provider: [a]\nproviders:\n  - driver: x\n  - {name: a b, driver: x}\n  - {name: d, driver: ""}\n  - text\n  ${A}\n`,
      'version: 1\nproviders:\n  - driver: x\n  - {name: a, driver: [x]}\n',
    );
    expect(lines(config.problems)).toEqual([
      'global.yaml:1:10: version: found the text "2", expected "1"',
      'global.yaml:2:19: default_provider: found a list, expected a text',
      'global.yaml:4:5: providers[0].name: found nothing, expected a name of letters, digits, ".", "_" and "-" that starts with a letter or a digit',
      'global.yaml:5:12: providers[1].name: found the text "a b", expected a name of letters, digits, ".", "_" and "-" that starts with a letter or a digit',
      'global.yaml:6:23: providers[2].driver: found an empty text, expected a text that is not empty',
      'global.yaml:7:5: providers[3]: found the text "text", expected a map',
      'project.yaml:3:5: providers[0].name: found nothing, expected a name of letters, digits, ".", "_" and "-" that starts with a letter or a digit',
      'project.yaml:4:23: providers[1].driver: found a list, expected a text that is not empty',
    ]);
    expect(config.entries.map(({ name }) => name)).toEqual(['a']);
  });

  test('a name occurs twice in one file', () => {
    const config = load(file(A, '- {name: a, driver: y}'));
    expect(lines(config.problems)).toEqual([
      'global.yaml:4:12: providers[1].name: found "a" a second time, expected every name once (first at global.yaml:3:5)',
    ]);
    expect(config.entries.map(({ driver }) => driver)).toEqual(['x']);
  });

  test('a driver may be missing in the project only', () => {
    expect(load(file(A), file('- {name: a, mode: call}')).problems).toEqual([]);
    expect(lines(load(file('- name: e'), file('- name: f')).problems)).toEqual([
      'global.yaml:3:5: providers[0].driver: found nothing, expected the name of a driver; add a line: driver: ...',
      'project.yaml:3:5: providers[0].driver: found nothing, expected the name of a driver; add a line: driver: ...',
    ]);
  });

  test('a misspelt driver is told as one, at its place', () => {
    const [problem] = lines(load(file('- {name: e, drivr: x}')).problems);
    expect(problem).toMatch(
      /^global\.yaml:3:\d+: providers\[0\]\.driver: found nothing, .*; did you mean driver where it says drivr\?$/,
    );
  });

  test.each([
    ['was left out', file('- {name: a, driver: 5}')],
    ['could not be read', 'a: ['],
  ])('a project entry without a driver is no problem where its global entry %s', (_, global) => {
    expect(load(global, file('- {name: a, mode: call}')).problems).toHaveLength(1);
  });

  test('a top level that is no map is not printed', () => {
    expect(lines(load('hunter2').problems)).toEqual([
      'global.yaml:1:1: found a text (not shown), expected a map with version, default_provider, providers, routes and clients',
    ]);
  });
});

describe('warnings', () => {
  test('a missing version', () => {
    expect(lines(load(`providers:\n  ${A}\n`).warnings)).toEqual([
      'global.yaml:1:1: version is missing, read as "1"; add a line: version: "1"',
    ]);
  });

  test('unknown top-level keys, with a guess and without their values', () => {
    const { warnings, problems } = load(
      'version: 1\ndefault_provder: hunter2\nx-notes:\n  - hunter2\ndefault: hunter2\n',
    );
    expect(problems).toEqual([]);
    expect(lines(warnings)).toEqual([
      'global.yaml:2:1: default_provder: unknown key, ignored; did you mean default_provider?',
      'global.yaml:3:1: x-notes: unknown key, ignored',
      'global.yaml:5:1: default: unknown key, ignored; did you mean default_provider?',
    ]);
  });
});

test.each([
  ['a broken name', '- {name: "a b", driver: x, timeout_sec: -1}', 'providers[0].name: '],
  ['no driver', '- {name: a, timeout_sec: -1}', 'providers[0].driver: '],
])('an entry with %s reports its other mistakes too', (_, entry, first) => {
  const { problems } = load(file(entry));
  const messages = problems.map(({ message }) => message);
  expect(messages).toHaveLength(2);
  expect(messages[0]).toContain(first);
  expect(messages[1]).toBe('providers[0].timeout_sec: found the number -1, expected a whole number of 0 or more');
});

test('the second entry of a name is kept for its other mistakes, beside the providers', () => {
  const { problems, entries, repeated } = load(file(A, '- {name: a, driver: y, mode: steam}'));
  expect(lines(problems)).toEqual([expect.stringContaining('found "a" a second time')]);
  expect(entries.map(({ driver }) => driver)).toEqual(['x']);
  expect(repeated.map(({ path, driver }) => [path, driver])).toEqual([['providers[1]', 'y']]);
});

test('the second entry of a name that has no driver is validated at once', () => {
  expect(lines(load(file(A, '- {name: a, mode: steam}')).problems)).toEqual([
    expect.stringContaining('found "a" a second time'),
    'global.yaml:4:21: providers[1].mode: found the text "steam", expected one of stream, call; did you mean stream?',
  ]);
});
