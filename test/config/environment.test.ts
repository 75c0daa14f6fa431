import { execFileSync } from 'node:child_process';
import { mkdirSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import dotenv from 'dotenv';
import { Environment } from '../../core/config/environment';
import { type TempHome, tempHome } from '../setup/temp-home';

let home: TempHome;
let root: string;

afterEach(() => jest.restoreAllMocks());

beforeEach(() => {
  home = tempHome();
  root = home.directory;
});

const environment = (processEnvironment: NodeJS.ProcessEnv = {}) =>
  new Environment({ projectRoot: root, processEnvironment });

describe('the order', () => {
  const names = ['.env', '.env.local', '.env.staging', '.env.staging.local'];

  test('the later file wins, the process environment comes last', () => {
    const keys = environment({ DRIVEBAY_ENV: 'staging', KEY: 'process' });
    expect(keys.get('KEY')).toEqual({ value: 'process', source: 'process environment' });
    for (const name of names) {
      const file = home.write(name, `KEY=${name}\n`);
      expect(keys.get('KEY')).toEqual({ value: name, source: file });
    }
  });

  test('the searched places are listed in their order', () => {
    expect(environment({ DRIVEBAY_ENV: 'staging' }).searched()).toEqual([
      ...names.toReversed().map((name) => join(root, name)),
      'the environment of this command',
    ]);
  });

  test.each([[undefined], ['']])('DRIVEBAY_ENV %p means development', (stage) => {
    home.write('.env.development', 'KEY=dev');
    expect(environment({ DRIVEBAY_ENV: stage }).get('KEY')?.value).toBe('dev');
  });

  test('DRIVEBAY_ENV=local names no file twice', () => {
    expect(environment({ DRIVEBAY_ENV: 'local' }).searched()).toHaveLength(4);
  });

  test.each([
    ['in a later file', ''],
    ['of spaces in a later file', '"  "'],
  ])('an empty value %s counts as not set', (_, empty) => {
    home.write('.env', 'KEY=first');
    home.write('.env.local', `KEY=${empty}\nOTHER=\n`);
    const keys = environment({ OTHER: 'process', EMPTY: '' });
    expect(keys.get('KEY')?.value).toBe('first');
    expect(keys.get('OTHER')?.source).toBe('process environment');
    expect(keys.get('EMPTY')).toBeUndefined();
  });

  test('outside of a project only the process environment is read', () => {
    const keys = new Environment({ processEnvironment: { KEY: 'process', DRIVEBAY_ENV: '../x' } });
    expect(keys.get('KEY')?.value).toBe('process');
    expect(keys.searched()).toEqual(['the environment of this command']);
    expect(keys.warnings()).toEqual([]);
  });

  test('properties of Object.prototype are no variables', () => {
    home.write('.env', 'A=1');
    for (const name of ['constructor', '__proto__', 'toString']) expect(environment().get(name)).toBeUndefined();
  });

  test('values follow the rules of dotenv, and the process environment does not change', () => {
    home.write('.env', "export KEY='a#b'\nPLAIN = x # note\nREF=${KEY}\n");
    const keys = environment();
    expect(['KEY', 'PLAIN', 'REF'].map((name) => keys.get(name)?.value)).toEqual(['a#b', 'x', '${KEY}']);
    expect(process.env.PLAIN).toBeUndefined();
  });
});

describe('files are read at use', () => {
  test('get notices a changed, a new and a removed file', () => {
    const keys = environment({ KEY: 'process' });
    home.write('.env', 'KEY=one');
    expect(keys.get('KEY')?.value).toBe('one');
    home.write('.env', 'KEY=two');
    expect(keys.get('KEY')?.value).toBe('two');
    unlinkSync(join(root, '.env'));
    expect(keys.get('KEY')?.value).toBe('process');
  });

  test('an unchanged file is parsed once, when its date is old enough', () => {
    const file = home.write('.env', 'KEY=one');
    const keys = environment();
    keys.get('KEY');
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_000);
    const parse = jest.spyOn(dotenv, 'parse');
    for (let n = 0; n < 3; n += 1) expect(keys.get('KEY')?.value).toBe('one');
    expect(parse).toHaveBeenCalledTimes(1);
    utimesSync(file, 1, 1);
    keys.get('KEY');
    expect(parse).toHaveBeenCalledTimes(2);
  });

  test('get notices a change that keeps date and size', () => {
    const file = home.write('.env', 'KEY=one');
    utimesSync(file, 1, 1);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_000);
    const keys = environment();
    expect(keys.get('KEY')?.value).toBe('one');
    home.write('.env', 'KEY=two');
    utimesSync(file, 1, 1);
    expect(keys.get('KEY')?.value).toBe('two');
  });
});

describe('an unreadable file is skipped with a warning', () => {
  const makers: [string, (path: string) => void, string][] = [
    ['a directory', (path) => mkdirSync(path), 'is a directory, expected a regular file'],
    ['a pipe', (path) => execFileSync('mkfifo', [path]), 'is a named pipe, expected a regular file'],
    ['a file in UTF-16', (path) => writeFileSync(path, '\ufeffKEY=two\n', 'utf16le'), 'is not saved as UTF-8'],
    ['a large file', (path) => writeFileSync(path, `KEY=${'x'.repeat(1024 * 1024)}`), 'is larger than 1 MiB'],
  ];
  test.each(makers)('%s', (_, make, reason) => {
    home.write('.env', 'KEY=one');
    const path = join(root, '.env.local');
    make(path);
    const keys = environment();
    expect(keys.get('KEY')?.value).toBe('one');
    expect(keys.warnings()).toEqual([`${path} ${reason}; it is skipped`]);
    // Who looks for a key later is not told that the file was looked into.
    expect(keys.searched()).toContain(`${path}, which is skipped because it ${reason}`);
  });

  test.each(['../../etc/passwd', 'a/b', 'a b', 'ä', 'x\n'])('DRIVEBAY_ENV=%j does not become a path', (stage) => {
    home.write('.env', 'KEY=one');
    const keys = environment({ DRIVEBAY_ENV: stage });
    expect(keys.searched()).toHaveLength(3);
    expect(keys.get('KEY')?.value).toBe('one');
    expect(keys.warnings()).toEqual(['DRIVEBAY_ENV may hold letters, digits, ".", "_" and "-" only; it is ignored']);
  });
});
