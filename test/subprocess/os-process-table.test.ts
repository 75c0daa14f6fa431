import { readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ProcTable } from '../../core/subprocess/proc-table';
import { PsTable } from '../../core/subprocess/ps-table';
import { ProcessTree } from '../../core/subprocess/process-tree';
import { formatMarker, parseMarker } from '../../core/subprocess/run-marker';
import { sendSignal } from '../../core/subprocess/signals';
import { terminate } from '../../core/subprocess/terminate';
import { ProcessScanner } from '../../core/subprocess/os-process-table';
import { firstLine, isAlive, Workshop } from './open-programs';

let workshop: Workshop;
beforeEach(() => (workshop = new Workshop()));
afterEach(() => workshop.close());

describe.each([
  ['/proc', () => new ProcTable()],
  ['ps', () => new PsTable()],
])('the process table of %s', (_, open) => {
  const table = open();

  test('knows parent, group, start and marker of a program', async () => {
    const program = await workshop.shell('sleep 60 & echo $!; wait');
    const child = Number(await firstLine(program));
    for (const rows of [await table.read(), table.readSync()]) {
      const [leader, sleeper] = [program.pid, child].map((pid) => rows.find((row) => row.pid === pid));
      // A shell takes a megabyte or some.
      expect(leader?.memory()).toBeGreaterThan(100_000);
      expect(leader?.memory()).toBeLessThan(100_000_000);
      expect(leader).toMatchObject({ parent: process.pid, group: program.pid });
      expect(sleeper).toMatchObject({ parent: program.pid, group: program.pid });
      expect(parseMarker(sleeper?.marker() ?? '')?.pid).toBe(process.pid);
      expect(Math.abs((leader?.start ?? 0) - (table.find(program.pid) ?? 0))).toBeLessThanOrEqual(table.tolerance);
      expect(rows.find((row) => row.pid === process.pid)?.marker()).toBeUndefined();
    }
  });

  test('is enough to end a tree that has left its group', async () => {
    const program = await workshop.shell('setsid sleep 60 & echo $!; wait');
    const child = Number(await firstLine(program));
    const tree = new ProcessTree({
      leader: program.pid,
      since: (table.find(program.pid) ?? 0) - table.tolerance,
      marker: 'x',
    });
    let hasExited = false;
    void program.exited.then(() => (hasExited = true));
    const doomed = { tree, exited: program.exited, hasExited: () => hasExited };
    expect(await terminate(doomed, [{ signal: 'SIGTERM', afterMs: 0 }], new ProcessScanner(table))).toEqual([]);
    expect([program.pid, child].filter(isAlive)).toEqual([]);
  });
});

test('of processes that are older than a run nothing is read twice in a moment, of others all is', async () => {
  const table = new ProcTable();
  const elder = await workshop.shell('read line');
  const since = table.find(elder.pid)! + 1;
  while (table.now() < since) await nextTurn();
  const program = await workshop.shell('read line');
  // A moment, however long the machine takes for it.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  const readings = [table.readSync(since), table.readSync(since), table.readSync()];
  clock.mockRestore();
  const [first, second, whole] = readings.map((rows) =>
    [process.ppid, elder.pid, program.pid].map((pid) => rows.find((row) => row.pid === pid)),
  );
  expect(second!.map((row, index) => row === first![index])).toEqual([true, true, false]);
  expect(whole!.map((row, index) => row === first![index])).toEqual([false, false, false]);
});

test('a process that has the number of an older one is not taken for it', async () => {
  const elder = await workshop.shell('read line');
  const names = [String(elder.pid)];
  const table = new ProcTable(() => names);
  const since = table.find(elder.pid)! + 1;
  expect(await table.read(since)).toHaveLength(1);
  names.pop();
  expect(await table.read(since)).toEqual([]);
  await elder.stop();
  names.push(String(elder.pid));
  expect(await table.read(since)).toEqual([]);
});

test('a reading that several ask for is as new as the one who asks for the most', async () => {
  const asked: (number | undefined)[] = [];
  const scanner = new ProcessScanner({
    read: (since) => {
      asked.push(since);
      return Promise.resolve([]);
    },
  });
  await Promise.all([scanner.scan(5), scanner.scan(3), scanner.scan(7)]);
  await scanner.scan(9);
  await Promise.all([scanner.scan(9), scanner.scan()]);
  expect(asked).toEqual([3, 9, 0]);
});

test('readings that are asked for at the same time are one, later ones are new', async () => {
  let readings = 0;
  const table = new ProcTable();
  const scanner = new ProcessScanner({
    read: () => {
      readings += 1;
      return table.read();
    },
  });
  const [one, two] = await Promise.all([scanner.scan(), scanner.scan()]);
  expect(one).toBe(two);
  await scanner.scan();
  expect(readings).toBe(2);
});

test('a process that starts while the table is read is seen, because the one that started it may have ended by then', async () => {
  const names = readdirSync('/proc');
  const program = await workshop.shell('(sleep 60 & echo $!) & wait');
  const child = Number(await firstLine(program));
  for (const read of [(table: ProcTable) => table.read(), (table: ProcTable) => Promise.resolve(table.readSync())]) {
    const lists = [names];
    const rows = await read(new ProcTable(() => lists.shift() ?? readdirSync('/proc')));
    expect(rows.find(({ pid }) => pid === child)).toMatchObject({ group: program.pid });
    expect(rows.filter(({ pid }) => pid === process.pid)).toHaveLength(1);
  }
});

test('a marker says which daemon it is from', () => {
  const daemon = { namespace: '4026531836', pid: 42, start: 99 };
  expect(parseMarker(formatMarker(daemon, 7))).toEqual(daemon);
  expect(parseMarker('something else')).toBeUndefined();
});

test.each([0, 1, -1])('a signal never goes to %i, which means every process', (pid) => {
  expect(sendSignal(pid, 'SIGKILL')).toBe('forbidden');
});
