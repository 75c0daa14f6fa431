import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppendFile } from '../../core/record/append-file';
import { tempFolder } from '../setup/temp-folder';

const root = tempFolder();

test('calls that wait for a slow disk share one write, and it has every line in its order', async () => {
  const path = join(root, 'shared.ndjson');
  const file = new AppendFile(path, () => undefined);
  let answer = () => {};
  const disk = file.alone(() => new Promise<void>((resolve) => (answer = resolve)));
  const calls = [1, 2, 3].map((line) => {
    file.append({ line });
    return file.flush();
  });
  expect(new Set(calls).size).toBe(1);
  await new Promise(setImmediate);
  answer();
  await disk;
  expect(await calls[0]).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('{"line":1}\n{"line":2}\n{"line":3}\n');
});

test('a line that comes while a write runs has the next one', async () => {
  const path = join(root, 'next.ndjson');
  const file = new AppendFile(path, () => undefined);
  file.append({ line: 1 });
  const first = file.flush();
  await Promise.resolve();
  file.append({ line: 2 });
  expect(await file.flush()).toBe(true);
  expect(await first).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('{"line":1}\n{"line":2}\n');
});
