import { chmodSync, mkdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findProgram, ProgramFinder } from '../../core/subprocess/find-program';
import { failureOf, Workshop } from './open-programs';

let workshop: Workshop;
beforeEach(() => (workshop = new Workshop()));
afterEach(() => workshop.close());

/** A folder with programs of these names. */
function folder(name: string, ...programs: string[]): string {
  const path = join(workshop.folder, name);
  mkdirSync(path);
  for (const program of programs) symlinkSync(workshop.script('echo'), join(path, program));
  return path;
}

const find = (names: string[], path: string[], directories: string[] = [], home = '/nowhere') =>
  findProgram({ names, directories, environment: { PATH: path.join(':'), HOME: home } });

test('the first name on the PATH wins, then the next name, then the directories', async () => {
  const [one, two, extra] = [folder('one', 'b'), folder('two', 'a', 'b'), folder('extra', 'a', 'c')];
  expect(await find(['a', 'b'], [one, two], [extra])).toBe(join(two, 'a'));
  expect(await find(['x', 'b'], [one, two], [extra])).toBe(join(one, 'b'));
  expect(await find(['c'], [one, two], [extra])).toBe(join(extra, 'c'));
});

test('folders and files without the execute bit are passed over', async () => {
  const [one, two] = [folder('one'), folder('two', 'tool')];
  mkdirSync(join(one, 'tool'));
  expect(await find(['tool'], [one, two])).toBe(join(two, 'tool'));
  const plain = workshop.script('echo', '/bin/sh', 0o644);
  symlinkSync(workshop.script('echo'), join(two, basename(plain)));
  expect(await find([basename(plain)], [workshop.folder, two])).toBe(join(two, basename(plain)));
});

test('a name may be an absolute path, or one in the home folder', async () => {
  const home = folder('a home', 'tool');
  expect(await find([join(home, 'tool')], [])).toBe(join(home, 'tool'));
  expect(await find(['~/tool'], [], [], home)).toBe(join(home, 'tool'));
  expect(await find(['tool'], [], ['~/'], home)).toBe(join(home, 'tool'));
});

test('a program that is nowhere: names and places are listed', async () => {
  const error = await failureOf(find(['tool', 'other'], ['/bin'], ['/opt/x']));
  expect(error).toMatchObject({ code: 'not_installed', kind: 'binary_missing' });
  expect(error.message).toBe('program not found: tool, other (looked on the PATH, /opt/x)');
});

test('where the PATH is that of a daemon, it says so, and how the daemon gets another one', async () => {
  const daemon = { name: 'the daemon (pid 5)', restart: 'drivebay daemon restart' };
  const search = (name: string) => findProgram({ names: [name], environment: { PATH: '/nowhere' }, daemon });
  expect((await failureOf(search('tool'))).message).toBe(
    'program not found: tool (looked on the PATH of the daemon (pid 5)); if your terminal finds it: drivebay daemon restart',
  );
  expect((await failureOf(search('/nowhere/tool'))).message).toBe('program not found: /nowhere/tool');
});

test('a key in the place of a command is not shown', async () => {
  const key = 'sk-planted-0123456789abcdefABCDEF';
  const { message } = await failureOf(find([key, 'tool'], ['/bin']));
  expect(message).toBe('program not found: (not shown: it looks like a key), tool (looked on the PATH)');
});

test('a program that may not be executed is named', async () => {
  const tool = workshop.script('echo', '/bin/sh', 0o644);
  const error = await failureOf(find([tool], []));
  expect(error).toMatchObject({
    code: 'not_installed',
    kind: 'binary_not_executable',
    hint: `run: chmod +x '${tool}'`,
  });
});

test('a relative path means nothing: the daemon’s folder is not the user’s', async () => {
  expect(await failureOf(find(['./jest.config.js'], [process.cwd()]))).toMatchObject({ kind: 'binary_missing' });
});

describe('a finder that remembers', () => {
  test('a program that has gone, or lost its permission, is not found again', async () => {
    const [tool, spare] = [workshop.script('echo'), join(workshop.folder, 'spare')];
    mkdirSync(spare);
    symlinkSync('/bin/echo', join(spare, basename(tool)));
    const finder = new ProgramFinder();
    const find = () =>
      finder.find({ names: [basename(tool)], environment: { PATH: [workshop.folder, spare].join(':') } });
    expect(await find()).toBe(tool);
    chmodSync(tool, 0o644);
    if (process.getuid?.() !== 0) expect(await find()).toBe(join(spare, basename(tool)));
    unlinkSync(tool);
    expect(await find()).toBe(join(spare, basename(tool)));
    unlinkSync(join(spare, basename(tool)));
    expect(await failureOf(find())).toMatchObject({ code: 'not_installed' });
  });

  test('a program that is known and still there is found without a thread of its own', async () => {
    const tool = workshop.script('echo');
    const finder = new ProgramFinder();
    const find = () => finder.find({ names: [basename(tool)], environment: { PATH: `/nowhere:${workshop.folder}` } });
    expect(await find()).toBe(tool);
    const questions = () => process.getActiveResourcesInfo().filter((name) => name === 'FSReqPromise').length;
    const before = questions();
    const again = find();
    expect(questions()).toBe(before);
    expect(await again).toBe(tool);
  });

  test('another environment is another search', async () => {
    const tool = workshop.script('echo');
    const finder = new ProgramFinder();
    const find = (path: string) => finder.find({ names: [basename(tool)], environment: { PATH: path } });
    expect(await find(workshop.folder)).toBe(tool);
    expect(await failureOf(find('/nowhere'))).toMatchObject({ code: 'not_installed' });
  });
});
