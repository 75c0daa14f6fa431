import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readDocument } from '../../core/config/document';
import { valueOf } from '../../core/config/located';
import { formatProblem } from '../../core/errors';
import { tempHome } from '../setup/temp-home';

const home = tempHome();
const folder = home.directory;

function problemsOf(text: string | Buffer): string[] {
  const file = home.write('providers.yaml', text);
  const { problems } = readDocument(file);
  return problems.map((problem) => formatProblem(problem).replace(`${folder}/`, ''));
}

function dataOf(text: string): unknown {
  const { root, problems } = readDocument(home.write('providers.yaml', text));
  expect(problems).toEqual([]);
  return root && valueOf(root);
}

test('the marks of a merge conflict are called so', () => {
  const text = 'version: "1"\n<<<<<<< HEAD\nproviders: []\n=======\n>>>>>>> other\n';
  expect(problemsOf(text)).toEqual(['providers.yaml:2:1: found the marks of a merge conflict']);
});

describe('what is at the path', () => {
  test('an absent file is no problem', () => {
    expect(readDocument(join(folder, 'absent', 'absent.yaml'))).toEqual({ exists: false, problems: [] });
  });

  const makers: [string, (path: string) => void, string][] = [
    ['a directory', (path) => mkdirSync(path), 'is a directory, expected a regular file'],
    ['a named pipe', (path) => execFileSync('mkfifo', [path]), 'is a named pipe, expected a regular file'],
    ['a device', (path) => symlinkSync('/dev/zero', path), 'is a device, expected a regular file'],
    ['a dangling link', (path) => symlinkSync('/nowhere/at/all', path), 'is a symbolic link that leads nowhere'],
    ['a link to itself', (path) => symlinkSync(path, path), 'is a symbolic link that leads to itself'],
  ];
  test.each(makers)('%s is a problem and does not block', (name, make, message) => {
    const path = join(folder, name);
    make(path);
    expect(readDocument(path)).toEqual({
      exists: true,
      problems: [{ message: `the file ${message}`, place: { file: path } }],
    });
  });

  test('a socket is a problem', async () => {
    const path = join(folder, 'socket');
    const server = createServer().listen(path);
    await once(server, 'listening');
    const { problems } = readDocument(path);
    server.close();
    expect(problems[0]?.message).toBe('the file is a socket, expected a regular file');
  });

  (process.getuid?.() === 0 ? test.skip : test)('a file without read permission is a problem', () => {
    const path = home.write('secret.yaml', 'a: 1');
    chmodSync(path, 0);
    expect(readDocument(path).problems[0]?.message).toBe('the file cannot be read: permission denied');
  });

  test('a link to a file is followed', () => {
    home.write('target.yaml', 'a: 1');
    symlinkSync(join(folder, 'target.yaml'), join(folder, 'link.yaml'));
    const { root } = readDocument(join(folder, 'link.yaml'));
    expect(root && valueOf(root)).toEqual({ a: 1 });
  });

  test.each([
    ['larger than 1 MiB', Buffer.alloc(1024 * 1024 + 1, '#'), 'providers.yaml: the file is larger than 1 MiB'],
    [
      'not UTF-8',
      Buffer.from([0x61, 0x3a, 0x20, 0xe9]),
      'providers.yaml: the file is not UTF-8 text; save it as UTF-8',
    ],
    [
      'with NUL bytes',
      'a: 1\0',
      'providers.yaml: the file is not UTF-8 text: it has a zero byte at offset 4; save it as UTF-8',
    ],
  ])('a file %s is a problem', (_, content, message) => {
    expect(problemsOf(content)).toEqual([message]);
  });

  test('a file of exactly 1 MiB is read', async () => {
    expect(await dataOf('#'.repeat(1024 * 1024))).toEqual({});
  });
});

describe('good YAML', () => {
  test.each([
    ['an empty file', '', {}],
    ['comments only', '# nothing yet\n', {}],
    ['an empty document', '---\n', {}],
    ['a byte order mark', '\ufeffa: 1\n', { a: 1 }],
    ['words of YAML 1.1', '%YAML 1.1\n---\na: no\nb: 010\n', { a: 'no', b: 10 }],
    ['keys that look like numbers', 'models:\n  1.50: x\n  true: y\n', { models: { '1.50': 'x', true: 'y' } }],
    ['an alias', 'a: &x [1, 2]\nb: *x\n', { a: [1, 2], b: [1, 2] }],
    ['an anchor given twice', 'a: &x 1\nb: *x\nc: &x 2\nd: *x\n', { a: 1, b: 1, c: 2, d: 2 }],
    ['a hundred levels', `a: ${'['.repeat(98)}${']'.repeat(98)}`, expect.anything()],
    [
      'brackets in texts',
      `a: "${'['.repeat(200)}"\nb: |\n  [\nc: '{'\n`,
      expect.objectContaining({ b: '[\n', c: '{' }),
    ],
  ])('%s', async (_, text, data) => {
    expect(await dataOf(text)).toEqual(data);
  });

  test.each([
    [
      'the map’s own keys win, before and behind it',
      'x: &x {a: 1, b: 1, c: 1}\ny:\n  a: 2\n  <<: *x\n  c: 2\n',
      { a: 2, b: 1, c: 2 },
    ],
    ['the first of several maps wins', 'x: &x {a: 1}\nz: &z {a: 2, b: 2}\ny: {<<: [*x, *z]}\n', { a: 1, b: 2 }],
    ['a merged map may merge another', 'x: &x {a: 1}\nz: &z {<<: *x, b: 2}\ny: {<<: *z, c: 3}\n', { a: 1, b: 2, c: 3 }],
    ['in quotes it is a key like any other', 'x: &x {a: 1}\ny: {"<<": *x}\n', { '<<': { a: 1 } }],
  ])('merge keys work: %s', async (_, text, data) => {
    expect(((await dataOf(text)) as { y: unknown }).y).toEqual(data);
  });

  test('the place of an alias is its use', () => {
    const { root } = readDocument(home.write('alias.yaml', 'a: &x 1\nb: *x\n'));
    expect(root?.kind === 'map' && root.entries.get('b')).toMatchObject({ value: 1, place: { line: 2, column: 4 } });
  });

  test('the place of an empty value is its key', () => {
    const { root } = readDocument(home.write('empty.yaml', 'a: 1\nbb:\n\n\nc: 2\n'));
    expect(root?.kind === 'map' && root.entries.get('bb')).toMatchObject({
      value: null,
      place: { line: 2, column: 1 },
    });
  });
});

describe('broken YAML', () => {
  test('all mistakes are reported at once, with their positions', () => {
    expect(problemsOf('a: "\\q"\nb: @x\nc: &a &b 1\n')).toEqual([
      'providers.yaml:1:5: not valid YAML: Invalid escape sequence',
      'providers.yaml:2:4: not valid YAML: Plain value cannot start with reserved character @',
      'providers.yaml:3:7: not valid YAML: A node can have at most one anchor',
    ]);
  });

  test.each([
    ['several documents', 'a: 1\n---\nb: 2\n', '2:1: found a second YAML document ("---"), expected one'],
    ['a list as a key', '? [x]\n: b\n', '1:3: found a list, a map or an alias as a key, expected a text'],
    [
      'a duplicate key',
      'a: 1\nb: {c: 1,\n  c: 2}\n',
      '3:3: found the key "c" a second time, expected it once (first on line 2)',
    ],
    [
      'a merge key without a map',
      'a: {<<: 5}\n',
      '1:9: found another value behind a merge key (<<), expected a map (*...) or a list of them',
    ],
    [
      'two merge keys',
      'x: &x {}\na:\n  <<: *x\n  <<: *x\n',
      '4:3: found the key "<<" a second time, expected it once (first on line 3)',
    ],
    ['a list that is not closed', 'a: {b: [1\n', '2:1: not valid YAML: found no closing ], or it is not indented'],
    [
      'a bracket that is not indented',
      'a: [1,\n2]\n',
      '2:1: not valid YAML: found no closing ], or it is not indented',
    ],
    ['a tag', 'a: !!binary aGk=\n', '1:4: found a tag (!...), expected plain YAML'],
    [
      'a colon in a plain value',
      'a: b: c\n',
      '1:4: not valid YAML: found ": " inside of a value, expected it in quotes',
    ],
    [
      'a line that is indented too far',
      'a:\n  - name: v\n    driver: x\n     base_url: http://y\n',
      '4:1: not valid YAML: the line is indented too far, or not far enough',
    ],
    [
      'a line that is not indented far enough',
      'a:\n  - name: v\n    driver: x\n   model: m\n',
      '4:1: not valid YAML: the line is indented too far, or not far enough',
    ],
    ['an alias of itself', 'a: &x\n  - *x\n', '2:5: found an alias inside of its own anchor'],
    ['an alias of nothing', 'a: *x\n', '1:4: found an alias (*...) without an anchor before it'],
  ])('%s', (_, text, problem) => {
    expect(problemsOf(text)).toEqual([`providers.yaml:${problem}`]);
  });

  test('a key pasted in a wrong place is not printed', () => {
    const key = 'sk-live-0123456789abcdef';
    for (const text of [
      `"a": "x" ${key}\n`,
      `a: [1] ${key}\n`,
      `a: | ${key}\n`,
      `a: "\\${key}"\n`,
      `${key}\na: 1\n`,
      `a: !${key} 1`,
    ]) {
      const problems = problemsOf(text);
      expect(problems.length).toBeGreaterThan(0);
      expect(problems.join()).not.toContain(key.slice(0, 8));
    }
  });

  const levels = 20_000;
  const megabyte = 1024 * 1024;
  const bomb = Array.from({ length: 30 }, (_, n) => `a${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1}, *a${n - 1}`}]`);
  const chain = Array.from({ length: 5000 }, (_, n) => `a${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1}`}]`);
  test.each([
    ['lists in one line', '['.repeat(levels) + ']'.repeat(levels), /nested deeper than 100 levels/],
    ['maps in one line', '{'.repeat(megabyte), /nested deeper than 100 levels/],
    ['lists by dashes', '- '.repeat(levels), /nested deeper than 100 levels/],
    ['maps by indentation', Array.from({ length: 150 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'), /nested deeper/],
    ['lists through aliases', chain.join('\n'), /nested deeper than 100 levels/],
    ['an alias bomb', bomb.join('\n'), /more than 100000 values once its aliases are expanded/],
    [
      'merged maps',
      `x: &x {${Array.from({ length: 3000 }, (_, n) => `k${n}: 1`).join(', ')}}\n${Array.from({ length: 3000 }, (_, n) => `m${n}: {<<: *x}`).join('\n')}`,
      /more than 100000 values once its aliases are expanded/,
    ],
    ['closing brackets', ']'.repeat(megabyte), /more than 250000 YAML tokens/],
  ])('endless %s are one problem', (_, text, message) => {
    const problems = problemsOf(text);
    expect(problems).toEqual([expect.stringMatching(message)]);
  });

  test('thousands of mistakes are summarized', () => {
    const problems = problemsOf('- @\n'.repeat(300));
    expect(problems).toHaveLength(51);
    expect(problems[50]).toBe('providers.yaml:51:3: 250 more places that are not valid YAML');
  });

  test('twenty thousand keys take little of the processor', async () => {
    const text = Array.from({ length: 20_000 }, (_, n) => `key${n}: 1`).join('\n');
    const before = process.cpuUsage();
    await dataOf(text);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(3000);
  });
});
