import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppendFile } from '../../core/record/append-file';
import { collectGarbage } from '../setup/collect-garbage';
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

test('a line that another program has torn takes nothing of the next one with it', async () => {
  const path = join(root, 'torn.ndjson');
  const file = new AppendFile(path, () => undefined);
  for (const line of [1, 2, 3]) {
    file.append({ line });
    await file.flush();
    if (line === 2) appendFileSync(path, '{"line":"of anoth');
  }
  expect(readFileSync(path, 'utf8')).toBe('{"line":1}\n{"line":2}\n{"line":"of anoth\n{"line":3}\n');
});

test('of two daemons that have very much to write at once, no line is within a line of the other', async () => {
  const path = join(root, 'wide.ndjson');
  const files = [1, 2].map(() => new AppendFile(path, () => undefined));
  const wide = 'x'.repeat(1_000);
  for (const [by, file] of files.entries()) for (let at = 0; at < 4_000; at += 1) file.append({ by, at, wide });
  await Promise.all(files.map((file) => file.flush()));
  // A line that is still being written looks like a torn one, so a blank line may stand behind it. Readers pass over it.
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const whole = lines.filter((line) => /^\{"by":\d,"at":\d+,"wide":"x{1000}"\}$/.test(line));
  expect([lines.length, whole.length]).toEqual([8_000, 8_000]);
});

test('a file that is asked to write where nothing waits keeps nothing of that', async () => {
  const file = new AppendFile(join(root, 'idle.ndjson'), () => undefined);
  await file.flush();
  await collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 50_000; at += 1) await file.flush();
  await collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(1024 * 1024);
  // Until here the file itself is no garbage.
  expect(await file.flush()).toBe(true);
});
