import { addEntry, keepsOthers, removeEntry, setDefault } from '../../core/config/edit-config';

const ENTRY = { name: 'new', driver: 'x', base_url: 'http://h:1/v1' };
const ADDED = `  - name: new\n    driver: x\n    base_url: http://h:1/v1\n`;

const FILE = `# mine
version: "1" # of the format
default_provider: b # the fast one

providers:
  # the first
  - name: a
    driver: x
    # mode: stream

  # the second
  - { name: b, driver: x } # on one line

  - name: c # the third
    driver: x
    models:
      m: { context_window: 5 }
    # timeout_sec: 0

# the end
`;

describe('an entry is added behind the others', () => {
  test.each<[string, string, string]>([
    ['after the comments of the last one', FILE, FILE.replace('# timeout_sec: 0\n', `# timeout_sec: 0\n\n${ADDED}`)],
    [
      'with the indentation of the others',
      'providers:\n- name: a\n',
      `providers:\n- name: a\n${ADDED.replace(/^ {2}/gm, '')}`,
    ],
    ['without a line break at the end', 'providers:\n  - name: a', `providers:\n  - name: a\n${ADDED}`],
    ['in an empty file', '', `version: "1"\nproviders:\n${ADDED}`],
    ['in a file of comments', '# none', `# none\nversion: "1"\nproviders:\n${ADDED}`],
    ['without a list', 'version: "1"\n', `version: "1"\nproviders:\n${ADDED}`],
    [
      'in an empty list',
      'version: "1"\nproviders: [] # none\n# end\n',
      `version: "1"\nproviders: # none\n${ADDED}# end\n`,
    ],
    ['in a list without entries', 'providers:\n  # - name: a\n', `providers:\n${ADDED}  # - name: a\n`],
    [
      'in a list in brackets',
      'providers: [{ name: a }] # x\n',
      `providers: [{ name: a }, ${JSON.stringify(ENTRY)}] # x\n`,
    ],
    [
      'in JSON',
      '{\n  "providers": [\n    { "name": "a" }\n  ]\n}\n',
      `{\n  "providers": [\n    { "name": "a" }, ${JSON.stringify(ENTRY)}\n  ]\n}\n`,
    ],
    [
      'in brackets, behind the comments of the last one',
      'providers: [\n  { name: a } # about a\n  # more\n]\n',
      `providers: [\n  { name: a }, # about a\n  # more\n  ${JSON.stringify(ENTRY)}\n]\n`,
    ],
    [
      'in brackets, behind a comma and a comment',
      'providers: [{ name: a }, # about a\n]\n',
      `providers: [{ name: a }, # about a\n  ${JSON.stringify(ENTRY)}\n]\n`,
    ],
    ['in JSON without entries', '{"providers": []}', `{"providers": [${JSON.stringify(ENTRY)}]}`],
    ['in empty JSON', '{}', `{"providers": [${JSON.stringify(ENTRY)}]}`],
  ])('%s', (_, before, after) => expect(addEntry(before, ENTRY)).toBe(after));

  test('with values that mean what they say', () => {
    expect(addEntry('providers:\n- name: a\n', { name: 'no', driver: '1' })).toBe(
      'providers:\n- name: a\n- name: no\n  driver: "1"\n',
    );
  });
});

describe('an entry is removed with its comments', () => {
  test.each<[string, string, string, string]>([
    ['the first', FILE, 'a', FILE.replace(/ {2}# the first[^]*mode: stream\n\n/, '')],
    ['one between others', FILE, 'b', FILE.replace(/ {2}# the second\n.*one line\n\n/, '')],
    ['the last', FILE, 'c', FILE.replace(/ {2}- name: c[^]*timeout_sec: 0\n\n/, '')],
    ['the only one', 'providers:\n- name: a\n', 'a', 'providers: []\n'],
    [
      'the only one, and no other comment',
      'providers: # mine\n  # the first\n  - name: a # x\n    # y\n\n# end\n',
      'a',
      'providers: [] # mine\n\n# end\n',
    ],
    [
      'the first, with a comment that is indented deeper than the list',
      'providers:\n    # deeper\n  - name: a\n  - name: b\n',
      'a',
      'providers:\n  - name: b\n',
    ],
    [
      'one behind a comment that is indented as deep as the entry, and belongs to the one before',
      'providers:\n  - name: a\n    # of a\n  - name: b\n  - name: c\n\n    # of b\n  - name: b2\n',
      'b2',
      'providers:\n  - name: a\n    # of a\n  - name: b\n  - name: c\n\n',
    ],
    ['the first in brackets', 'providers: [{ name: a }, { name: b }]\n', 'a', 'providers: [{ name: b }]\n'],
    ['the last in brackets', 'providers: [{ name: a }, { name: b }]\n', 'b', 'providers: [{ name: a }]\n'],
    ['the only one in JSON', '{"providers": [\n {"name": "a"}\n]}', 'a', '{"providers": [\n \n]}'],
  ])('%s', (_, before, name, after) => expect(removeEntry(before, name)).toBe(after));
});

const FLOW = `providers: [
  # the first
  { name: a }, # about a
  # the second
  { name: b }, # about b
  # the third
  { name: c } # about c
]
`;

describe('comments between entries in brackets stay with their entries', () => {
  test.each<[string, string]>([
    ['a', FLOW.replace('{ name: a }, # about a\n  # the second\n', '# the second\n')],
    ['b', FLOW.replace('{ name: b }, # about b\n  # the third\n', '# the third\n')],
    ['c', FLOW.replace('{ name: b },', '{ name: b }').replace('  { name: c } # about c\n', '')],
  ])('without %s', (name, after) => {
    expect(removeEntry(FLOW, name)).toBe(after);
    expect(keepsOthers(FLOW, after, name)).toBe(true);
  });
});

test('a file whose keys are all indented is edited like others', () => {
  const indent = (text: string) => text.replace(/^(?=.)/gm, '  ');
  const text = 'version: "1"\nproviders:\n  - name: a\n    driver: x\n';
  const edits: ((before: string) => string)[] = [
    (before) => addEntry(before, ENTRY),
    (before) => setDefault(before, 'a'),
    (before) => setDefault(setDefault(before, 'a'), 'b'),
    (before) => setDefault(setDefault(before, 'a'), undefined),
    (before) => removeEntry(before, 'a'),
    () => addEntry(indent('version: "1"\n'), ENTRY),
    () => addEntry(indent('providers: []\n'), ENTRY),
  ];
  const plain = [
    ...edits.slice(0, 5).map((edit) => edit(text)),
    addEntry('version: "1"\n', ENTRY),
    addEntry('providers: []\n', ENTRY),
  ];
  expect(edits.map((edit) => edit(indent(text)))).toEqual(plain.map(indent));
});

describe('the default', () => {
  test.each<[string, string, string | undefined, string]>([
    ['is replaced', FILE, 'a', FILE.replace('default_provider: b', 'default_provider: a')],
    ['is removed with its line', FILE, undefined, FILE.replace(/default_provider.*\n/, '')],
    [
      'is added behind the version',
      'version: "1" # v\nproviders: []\n',
      'a',
      'version: "1" # v\ndefault_provider: a\nproviders: []\n',
    ],
    ['is added at the beginning', '# mine\nproviders: []\n', 'a', '# mine\ndefault_provider: a\nproviders: []\n'],
    [
      'is given to a key without a value',
      'default_provider:\nproviders: []\n',
      'a',
      'default_provider: a\nproviders: []\n',
    ],
    ['is given before a comment', 'default_provider: # none\n', 'a', 'default_provider: a # none\n'],
    ['that is not there is not removed', 'providers: []\n', undefined, 'providers: []\n'],
    [
      'is replaced in JSON',
      '{"default_provider": "a", "version": "1"}',
      'b',
      '{"default_provider": "b", "version": "1"}',
    ],
    ['is added in JSON', '{\n  "version": "1"\n}', 'b', '{"default_provider": "b", \n  "version": "1"\n}'],
    ['is removed in JSON', '{"version": "1", "default_provider": "a"}', undefined, '{"version": "1"}'],
    ['is quoted where it looks like a number', 'default_provider: a\n', '1', 'default_provider: "1"\n'],
  ])('%s', (_, before, name, after) => expect(setDefault(before, name)).toBe(after));
});

describe('an edit that would take more than its entry is seen', () => {
  test.each<[string, boolean, string, (text: string) => string]>([
    ['in a usual layout', true, FILE, (text) => removeEntry(text, 'b')],
    [
      'with a list below a key of its own',
      false,
      '? providers\n: - name: a\n  - name: b\n',
      (text) => removeEntry(text, 'b'),
    ],
    [
      'with a text that ends in empty lines',
      false,
      'providers:\n  - name: a\n    x: |+\n      y\n\n\n',
      (text) => addEntry(text, { name: 'b' }),
    ],
  ])('%s', (_, isKept, before, edit) => expect(keepsOthers(before, edit(before), 'b')).toBe(isKept));
});
