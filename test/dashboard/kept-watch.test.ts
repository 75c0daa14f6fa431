import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { KeptWatch } from '../../core/dashboard/kept-watch';
import { KeptTable } from '../../core/plugins/kept-table';
import { EventStream } from '../../core/record/event-stream';
import { makeProvider } from '../providers/settings';

const program = spawn(process.execPath, ['-e', 'console.log(); setTimeout(() => {}, 60_000)'], { detached: true });
const stream = new EventStream({ events: 100, characters: 1_000_000 });
const kept = new KeptTable(() => Infinity).of();
const device = makeProvider({ kept }, { name: 'cli' });
const providers = () => Promise.resolve([{ device, project: '/p', files: [] }]);
const watch = new KeptWatch({ stream, providers });

afterAll(async () => {
  kept.close();
  program.kill('SIGKILL');
  await once(program, 'close');
});

async function told(): Promise<unknown[]> {
  const before = stream.lastId;
  await watch.look();
  return [...stream.read(before)];
}

test('what is kept is told with the memory of its program, once, and told again when it is gone', async () => {
  await once(program.stdout, 'data');
  expect(await told()).toEqual([]);
  const options = { most: 2, forMs: 60_000, pid: program.pid, end: () => undefined };
  const spare = kept.keep({ ...options, state: 'spare' });
  const [event, ...others] = await told();
  expect(others).toEqual([]);
  expect(event).toMatchObject({ kind: 'provider', provider: 'cli', project: '/p' });
  const [first] = (event as { event: { kept: { memoryBytes: number }[] } }).event.kept;
  expect(first).toMatchObject({ state: 'spare', since: expect.any(Number), pid: program.pid });
  expect(first!.memoryBytes).toBeGreaterThan(10 * 2 ** 20);
  spare.take();
  expect(await told()).toEqual([expect.objectContaining({ event: { type: 'kept', kept: [] } })]);
  expect(await told()).toEqual([]);
});

test('looks at the same time are one', async () => {
  const first = watch.look();
  expect(watch.look()).toBe(first);
  await first;
});
