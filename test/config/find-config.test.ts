import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findConfig } from '../../core/config/find-config';
import { loadConfig } from '../../core/config/load';
import { formatProblem } from '../../core/errors';
import { findPaths } from '../../core/paths';
import { type TempHome, tempHome } from '../setup/temp-home';

let home: TempHome;

beforeEach(() => {
  home = tempHome();
  home.write('work/.drivebay/notes.txt', '');
});

const find = (environment: NodeJS.ProcessEnv = {}) =>
  findConfig(findPaths({ HOME: home.directory, ...environment }, join(home.directory, 'work')));

test('without files, the result names the usual places', () => {
  expect(find()).toEqual({
    global: {
      file: join(home.directory, '.config/drivebay/providers.yaml'),
      document: { exists: false, problems: [] },
    },
    project: { file: join(home.directory, 'work/.drivebay/providers.yaml'), document: { exists: false, problems: [] } },
  });
});

test.each(['providers.yaml', 'providers.yml', 'providers.json'])('%s counts, and values keep their places', (name) => {
  const file = home.write(`work/.drivebay/${name}`, '{\n"version": "1" }\n');
  const { project } = find();
  expect(project).toMatchObject({ file, document: { exists: true, problems: [] } });
  expect(project?.document.root).toMatchObject({ kind: 'map' });
  const { root } = project!.document;
  expect(root?.kind === 'map' && root.entries.get('version')?.place).toEqual({ file, line: 2, column: 12 });
});

test('of several files the first name counts, and a warning says so of each of the others', () => {
  const json = home.write('work/.drivebay/providers.json', '{"version": "1"}');
  const yml = home.write('work/.drivebay/providers.yml', 'version: "1"\n');
  expect(find().project).toMatchObject({ file: yml, ignored: [json] });
  const file = home.write('work/.drivebay/providers.yaml', 'version: "1"\n');
  expect(find().project?.file).toBe(file);
  expect(loadConfig(find()).warnings.map(formatProblem)).toEqual(
    [yml, json].map(
      (each) =>
        `${each}: the file is not read, because providers.yaml beside it counts; move what it says into providers.yaml, and remove it`,
    ),
  );
});

test('an empty file exists', () => {
  const file = home.write('.config/drivebay/providers.yml', '');
  expect(find().global).toMatchObject({ file, document: { exists: true, root: { kind: 'map' }, problems: [] } });
});

test('the file of ~/.config counts when XDG_CONFIG_HOME has none', () => {
  const environment = { XDG_CONFIG_HOME: join(home.directory, 'xdg') };
  const usual = home.write('.config/drivebay/providers.yaml', 'version: "1"\n');
  expect(find(environment).global.file).toBe(usual);
  const preferred = home.write('xdg/drivebay/providers.json', '{}');
  expect(find(environment).global.file).toBe(preferred);
});

test('a missing folder causes no search in its parents', () => {
  home.write('.config/providers.yaml', 'version: "1"\n');
  home.write('providers.yaml', 'version: "1"\n');
  expect(find().global.document.exists).toBe(false);
});

test('an unusable file is a problem, and the next name does not replace it', () => {
  home.write('.config/drivebay/providers.yaml/file', '');
  home.write('.config/drivebay/providers.yml', 'version: "1"\n');
  const { file, document } = find().global;
  expect(file).toBe(join(home.directory, '.config/drivebay/providers.yaml'));
  expect(document.problems).toMatchObject([{ message: 'the file is a directory, expected a regular file' }]);
});

test('a folder that cannot be read is a problem, with the variable that moves it', () => {
  home.write('.config', 'a file in its place');
  const hint = 'choose another folder: export XDG_CONFIG_HOME=<absolute path>';
  expect(find().global.document.problems).toMatchObject([{ message: 'the file cannot be read (ENOTDIR)', hint }]);
  expect(find().global).not.toHaveProperty('ignored');
});

test('a folder in a loop of links is named, with the variable that moves it', () => {
  const loop = join(home.directory, 'loop');
  symlinkSync(loop, loop);
  const { document } = find({ XDG_CONFIG_HOME: loop }).global;
  const hint = 'choose another folder: export XDG_CONFIG_HOME=<absolute path>';
  const message = `the file cannot be read: ${loop} is a symbolic link that leads nowhere`;
  expect(document.problems).toMatchObject([{ message, hint }]);
});

test('no code of the folder runs, and no other file is read', () => {
  const marker = join(home.directory, 'ran');
  const code = `require('fs').writeFileSync(${JSON.stringify(marker)}, ''); module.exports = { version: '1' };`;
  for (const folder of ['work', 'work/.drivebay', '.config/drivebay']) {
    for (const name of [
      '.config/config.js',
      '.config/config.cjs',
      'drivebay.config.js',
      'providers.js',
      '.drivebayrc.js',
    ]) {
      home.write(`${folder}/${name}`, code);
    }
    const settings = { searchPlaces: ['providers.js'], version: '1' };
    for (const name of ['.config/config.json', '.config/config.yaml', 'package.json', '.drivebayrc']) {
      home.write(`${folder}/${name}`, JSON.stringify({ ...settings, drivebay: settings, cosmiconfig: settings }));
    }
  }
  const before = process.cwd();
  process.chdir(join(home.directory, 'work'));
  try {
    const { global, project } = find();
    expect([global.document.exists, project?.document.exists]).toEqual([false, false]);
    home.write('work/.drivebay/providers.yml', 'version: "1"\n');
    expect(find().project?.file).toBe(join(home.directory, 'work/.drivebay/providers.yml'));
  } finally {
    process.chdir(before);
  }
  expect(existsSync(marker)).toBe(false);
});
