import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { hintOf, messageOf } from '../core/errors';
import { explainFolder, findPaths, homeFolder, plantedFolders } from '../core/paths';
import { cliPath } from './setup/run-cli';
import { tempFolder } from './setup/temp-folder';
import { tempHome } from './setup/temp-home';

const paths = { configHome: '/c/drivebay', state: '/home/.local/state/drivebay', cache: '/k/drivebay' };

const root = tempFolder();

afterEach(() => jest.restoreAllMocks());

/** As in a container whose user has a number only. */
function unknownUser(): void {
  jest.spyOn(os, 'userInfo').mockImplementation(() => {
    throw Object.assign(new Error('uv_os_get_passwd returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
  });
}

test.each([{}, { HOME: '' }, { HOME: 'relative' }])(
  'without an absolute HOME the user database has it: %j',
  (environment) => {
    expect(homeFolder(environment)).toBe(os.userInfo().homedir);
    expect(findPaths(environment, '/').cache).toBe(`${os.userInfo().homedir}/.cache/drivebay`);
  },
);

test('HOME counts as it is, also for a user that the system does not know', () => {
  unknownUser();
  expect([homeFolder({ HOME: '/' }), homeFolder({})]).toEqual(['/', undefined]);
});

test('without a home folder the three XDG folders are enough, and each that is missing is an error with a way out', () => {
  unknownUser();
  const xdg = { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k' };
  expect(findPaths(xdg, '/')).toMatchObject({
    configHome: '/c/drivebay',
    userConfig: '/c/drivebay',
    state: '/s/drivebay',
  });
  for (const name of Object.keys(xdg)) {
    const hint = expect.stringMatching(`${name}.*, each an absolute path$`) as string;
    for (const value of ['', 'relative'])
      expect(() => findPaths({ ...xdg, [name]: value }, '/')).toThrow(expect.objectContaining({ hint }));
  }
});

test('where nothing is at home, the folder of the variable is the only one', () => {
  const userConfigOf = (home: string) => findPaths({ HOME: home, XDG_CONFIG_HOME: '/c' }, '/').userConfig;
  const place = join(root, '.config/drivebay');
  expect(userConfigOf(__filename)).toBe('/c/drivebay');
  expect(userConfigOf(root)).toBe('/c/drivebay');
  fs.mkdirSync(place, { recursive: true });
  expect(userConfigOf(root)).toBe(place);
  fs.rmdirSync(place);
  fs.symlinkSync('/not/mounted', place);
  expect(userConfigOf(root)).toBe('/c/drivebay');
});

const NOBODY = 65_534;

// Only root can give a folder to another user.
describe.each([
  ['a folder', (place: string) => void fs.mkdirSync(place)],
  ['a link to a folder of the user', (place: string) => fs.symlinkSync(__dirname, place)],
])('%s', (_what, make) => {
  const asRoot = process.getuid?.() === 0 ? test : test.skip;

  asRoot('that belongs to another user does not make a project of a folder where every user can write', () => {
    const shared = tempFolder();
    const place = join(shared, '.drivebay');
    const rootOf = () => findPaths({ HOME: root }, join(shared, 'work')).projectRoot;
    make(place);
    fs.chmodSync(shared, 0o1777);
    expect(rootOf()).toBe(shared);
    fs.lchownSync(place, NOBODY, NOBODY);
    expect(rootOf()).toBeUndefined();
    fs.mkdirSync(join(shared, 'work/.drivebay'), { recursive: true });
    expect(rootOf()).toBe(join(shared, 'work'));
    fs.rmSync(join(shared, 'work'), { recursive: true });
    fs.chmodSync(shared, 0o775);
    expect(rootOf()).toBe(shared);
  });
});

// Only root can give a link to another user.
(process.getuid?.() === 0 ? test : test.skip)('a link of another user that nobody can follow stops nobody', () => {
  const shared = tempFolder();
  const place = join(shared, '.drivebay');
  fs.symlinkSync(place, place);
  fs.chmodSync(shared, 0o1777);
  fs.lchownSync(place, NOBODY, NOBODY);
  expect(findPaths({ HOME: root }, join(shared, 'work')).projectRoot).toBeUndefined();
  expect(plantedFolders(shared)).toEqual([place]);
});

test('what is wrong above the nearest project is nothing to it', () => {
  const above = tempFolder();
  fs.symlinkSync('.drivebay', join(above, '.drivebay'));
  fs.mkdirSync(join(above, 'work/.drivebay'), { recursive: true });
  expect(findPaths({ HOME: root }, join(above, 'work')).projectRoot).toBe(join(above, 'work'));
});

const fault = (code: string, more: object = {}) => Object.assign(new Error(`${code}: no`), { code, ...more });

test.each([
  [
    'EACCES',
    { path: '/k/drivebay/providers/a' },
    'cache',
    'choose another folder: export XDG_CACHE_HOME=<absolute path>',
  ],
  [
    'ENOSPC',
    { path: '/c/drivebay' },
    'configuration',
    'free space on its disk, or choose another folder: export XDG_CONFIG_HOME=',
  ],
  ['EACCES', { path: '4026.1.2', dest: '/c/drivebay/providers.yaml.lock' }, 'configuration', 'XDG_CONFIG_HOME='],
  ['EROFS', { syscall: 'mkdir', path: '/home' }, 'state', 'XDG_STATE_HOME='],
  ['ELOOP', { path: '/k/drivebay/models' }, 'cache', 'XDG_CACHE_HOME='],
  ['ENAMETOOLONG', { path: '/c/drivebay/x' }, 'configuration', 'XDG_CONFIG_HOME='],
  ['EIO', { path: '/home/.local/state/drivebay/usage' }, 'state', 'XDG_STATE_HOME='],
])('%s about %j names the folder and the variable that moves it', (code, more, title, hint) => {
  const error = explainFolder(fault(code, more), paths);
  expect(messageOf(error)).toMatch(new RegExp(`^the ${title} folder /.*/drivebay cannot be used: ${code}`));
  expect(hintOf(error)).toContain(hint);
});

test('where Node calls a parent of a new folder missing, the nearest one that exists says why', () => {
  jest.spyOn(fs, 'accessSync').mockImplementation((place) => {
    throw fault(place === '/home' ? 'EROFS' : 'ENOENT');
  });
  const error = explainFolder(fault('ENOENT', { syscall: 'mkdir', path: '/home/.local/state/drivebay' }), paths);
  expect(messageOf(error)).toMatch(/^the state folder \/home\/.local\/state\/drivebay cannot be used: EROFS: no$/);
});

test('a link that leads nowhere is named, and not what Node says of it', () => {
  fs.symlinkSync('/not/mounted', join(root, 'link'));
  const state = join(root, 'link', 'state', 'drivebay');
  const error = explainFolder(fault('EEXIST', { syscall: 'mkdir', path: join(root, 'link') }), { state });
  expect(messageOf(error)).toBe(
    `the state folder ${state} cannot be used: ${root}/link is a symbolic link that leads nowhere`,
  );
});

test.each([
  ['of another folder', fault('EACCES', { path: '/home/work/file' })],
  ['of a file that is not there', fault('ENOENT', { path: '/c/drivebay/x' })],
  ['without a path', fault('ENOSPC')],
])('an error %s stays as it is', (_, error) => {
  expect(explainFolder(error, paths)).toBe(error);
});

test('a lock that cannot be made names the folder, and not the holder of the lock', () => {
  const dest = '/c/drivebay/providers.yaml.lock';
  const message = `EACCES: permission denied, symlink '4026531836.15740.3073244' -> '${dest}'`;
  const more = { syscall: 'symlink', path: '4026531836.15740.3073244', dest };
  const error = explainFolder(Object.assign(new Error(message), { code: 'EACCES', ...more }), paths);
  expect(messageOf(error)).toBe(
    'the configuration folder /c/drivebay cannot be used: EACCES: permission denied: nothing can be written in /c/drivebay',
  );
  expect(hintOf(error)).toContain('XDG_CONFIG_HOME');
});

test('of several folders below one that cannot be made, that counts which was being written to', () => {
  const below = {
    configHome: '/no/.config/drivebay',
    state: '/no/.local/state/drivebay',
    cache: '/no/.cache/drivebay',
  };
  const error = fault('EACCES', { syscall: 'mkdir', path: '/no' });
  expect(messageOf(explainFolder(error, below, 'configHome'))).toMatch(/^the configuration folder \/no\/.config/);
  const other = fault('EACCES', { syscall: 'mkdir', path: '/no/.local/state' });
  expect(messageOf(explainFolder(other, below))).toMatch(/^the state folder/);
});

test('the folder that was being written to counts for an error without a path', () => {
  expect(messageOf(explainFolder(fault('ENOSPC'), paths, 'cache'))).toMatch(/^the cache folder/);
});

(fs.existsSync('/proc/self') ? test : test.skip)('a state folder where none can be made is named at once', () => {
  const home = tempHome();
  const { status, stderr } = spawnSync(process.execPath, [cliPath, 'please answer'], {
    env: home.environment({ XDG_STATE_HOME: '/proc/drivebay-nowhere' }),
    cwd: home.directory,
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^error: the state folder \S+ cannot be used: E.*\n {2}choose .*XDG_STATE_HOME=/),
  ]);
});
