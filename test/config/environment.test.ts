import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Environment } from '../../core/config/environment';
import { temporaryFolder, write } from './helpers';

let root: string;

beforeEach(() => {
  root = temporaryFolder();
});

const environment = (processEnvironment: NodeJS.ProcessEnv = {}) =>
  new Environment({ projectRoot: root, processEnvironment });

describe('the order', () => {
  const names = ['.env', '.env.local', '.env.staging', '.env.staging.local'];

  test('the later file wins, the process environment comes last', () => {
    const keys = environment({ DRIVEBAY_ENV: 'staging', KEY: 'process' });
    expect(keys.get('KEY')).toEqual({ value: 'process', source: 'process environment' });
    for (const name of names) {
      const file = write(root, name, `KEY=${name}\n`);
      expect(keys.get('KEY')).toEqual({ value: name, source: file });
    }
  });

  test('the searched places are listed in their order', () => {
    expect(environment({ DRIVEBAY_ENV: 'staging' }).searched()).toEqual([
      ...names.toReversed().map((name) => join(root, name)),
      'process environment',
    ]);
  });

  test.each([[undefined], ['']])('DRIVEBAY_ENV %p means development', (stage) => {
    write(root, '.env.development', 'KEY=dev');
    expect(environment({ DRIVEBAY_ENV: stage }).get('KEY')?.value).toBe('dev');
  });

  test('DRIVEBAY_ENV=local names no file twice', () => {
    expect(environment({ DRIVEBAY_ENV: 'local' }).searched()).toHaveLength(4);
  });

  test.each([
    ['in a later file', ''],
    ['of spaces in a later file', '"  "'],
  ])('an empty value %s counts as not set', (_, empty) => {
    write(root, '.env', 'KEY=first');
    write(root, '.env.local', `KEY=${empty}\nOTHER=\n`);
    const keys = environment({ OTHER: 'process', EMPTY: '' });
    expect(keys.get('KEY')?.value).toBe('first');
    expect(keys.get('OTHER')?.source).toBe('process environment');
    expect(keys.get('EMPTY')).toBeUndefined();
  });

  test('outside of a project only the process environment is read', () => {
    const keys = new Environment({ processEnvironment: { KEY: 'process', DRIVEBAY_ENV: '../x' } });
    expect(keys.get('KEY')?.value).toBe('process');
    expect(keys.searched()).toEqual(['process environment']);
    expect(keys.warnings()).toEqual([]);
  });

  test('properties of Object.prototype are no variables', () => {
    write(root, '.env', 'A=1');
    for (const name of ['constructor', '__proto__', 'toString']) expect(environment().get(name)).toBeUndefined();
  });

  test('values follow the rules of dotenv, and the process environment does not change', () => {
    write(root, '.env', "export KEY='a#b'\nPLAIN = x # note\nREF=${KEY}\n");
    const keys = environment();
    expect(['KEY', 'PLAIN', 'REF'].map((name) => keys.get(name)?.value)).toEqual(['a#b', 'x', '${KEY}']);
    expect(process.env.PLAIN).toBeUndefined();
  });
});

describe('files are read at use', () => {
  test('get notices a changed, a new and a removed file', () => {
    const keys = environment({ KEY: 'process' });
    write(root, '.env', 'KEY=one');
    expect(keys.get('KEY')?.value).toBe('one');
    write(root, '.env', 'KEY=two');
    expect(keys.get('KEY')?.value).toBe('two');
    unlinkSync(join(root, '.env'));
    expect(keys.get('KEY')?.value).toBe('process');
  });

  test('an unchanged file is parsed once, when its date is old enough', async () => {
    write(root, '.env', 'KEY=one\n'.repeat(60_000));
    const keys = environment();
    const timeFor = (count: number) => {
      const started = performance.now();
      for (let n = 0; n < count; n += 1) keys.get('KEY');
      return performance.now() - started;
    };
    const parsing = timeFor(10);
    await setTimeout(2200);
    timeFor(1);
    expect(timeFor(10)).toBeLessThan(parsing / 5);
  });

  test('get notices a change that keeps date and size', async () => {
    const file = write(root, '.env', 'KEY=one');
    utimesSync(file, 1, 1);
    await setTimeout(2200);
    const keys = environment();
    expect(keys.get('KEY')?.value).toBe('one');
    write(root, '.env', 'KEY=two');
    utimesSync(file, 1, 1);
    expect(keys.get('KEY')?.value).toBe('two');
  });
});

describe('an unreadable file is skipped with a warning', () => {
  const makers: [string, (path: string) => void, string][] = [
    ['a directory', (path) => mkdirSync(path), 'is a directory, expected a regular file'],
    ['a pipe', (path) => execFileSync('mkfifo', [path]), 'is a named pipe, expected a regular file'],
    ['a device', (path) => symlinkSync('/dev/zero', path), 'is a device, expected a regular file'],
    ['a dangling link', (path) => symlinkSync('/nowhere/at/all', path), 'is a symbolic link that leads nowhere'],
    ['a large file', (path) => writeFileSync(path, `KEY=${'x'.repeat(1024 * 1024)}`), 'is larger than 1 MiB'],
  ];
  test.each(makers)('%s', (_, make, reason) => {
    write(root, '.env', 'KEY=one');
    const path = join(root, '.env.local');
    make(path);
    const keys = environment();
    expect(keys.get('KEY')?.value).toBe('one');
    expect(keys.warnings()).toEqual([`${path} ${reason}; it is skipped`]);
  });

  test('absent files give no warning', () => {
    expect(environment().warnings()).toEqual([]);
  });

  test.each(['../../etc/passwd', 'a/b', 'a b', 'ä', 'x\n'])('DRIVEBAY_ENV=%j does not become a path', (stage) => {
    write(root, '.env', 'KEY=one');
    const keys = environment({ DRIVEBAY_ENV: stage });
    expect(keys.searched()).toHaveLength(3);
    expect(keys.get('KEY')?.value).toBe('one');
    expect(keys.warnings()).toEqual(['DRIVEBAY_ENV may hold letters, digits, ".", "_" and "-" only; it is ignored']);
  });
});
