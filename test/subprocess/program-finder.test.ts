import { chmodSync, mkdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ProgramFinder } from '../../core/subprocess/program-finder';
import { failureOf, Workshop } from './open-programs';

let workshop: Workshop;
beforeEach(() => (workshop = new Workshop()));
afterEach(() => workshop.close());

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

test('another environment is another search', async () => {
  const tool = workshop.script('echo');
  const finder = new ProgramFinder();
  const find = (path: string) => finder.find({ names: [basename(tool)], environment: { PATH: path } });
  expect(await find(workshop.folder)).toBe(tool);
  expect(await failureOf(find('/nowhere'))).toMatchObject({ code: 'not_installed' });
});
