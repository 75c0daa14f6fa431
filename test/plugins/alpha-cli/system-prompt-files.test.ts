import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemPromptFiles } from '../../../plugins/alpha-cli/system-prompt-files';

let folder: string;
let files: SystemPromptFiles;

beforeEach(() => {
  jest.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), 'system-prompts-'));
  files = new SystemPromptFiles();
});

afterEach(() => {
  jest.useRealTimers();
  rmSync(folder, { recursive: true });
});

it('gives chats with the same prompt the same file, at once and soon after each other', () => {
  const first = files.take(folder, 'Be brief');
  const second = files.take(folder, 'Be brief');
  first.release();
  second.release();
  jest.advanceTimersByTime(9_000);
  const third = files.take(folder, 'Be brief');
  jest.advanceTimersByTime(60_000);
  expect([second.path, third.path]).toEqual([first.path, first.path]);
  expect(readFileSync(third.path, 'utf8')).toBe('Be brief');
});

it('removes a file when nobody has used it for ten seconds', () => {
  const first = files.take(folder, 'Be brief');
  const second = files.take(folder, 'Be brief');
  first.release();
  jest.advanceTimersByTime(60_000);
  expect(readdirSync(folder)).toHaveLength(1);
  second.release();
  jest.advanceTimersByTime(10_000);
  expect(readdirSync(folder)).toEqual([]);
  expect(readFileSync(files.take(folder, 'Be brief').path, 'utf8')).toBe('Be brief');
});

it('writes a file anew that somebody has removed', () => {
  const lost = files.take(folder, 'Be brief');
  rmSync(lost.path);
  const next = files.take(folder, 'Be brief');
  lost.release();
  jest.advanceTimersByTime(60_000);
  expect(readFileSync(next.path, 'utf8')).toBe('Be brief');
});

it('removes them all when the driver ends', () => {
  files.take(folder, 'Be brief').release();
  files.take(folder, 'Be long');
  files.close();
  expect(readdirSync(folder)).toEqual([]);
});
