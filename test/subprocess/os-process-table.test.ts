import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { buildSync } from 'esbuild';
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

test('of processes that are older than a run nothing is read twice, of others all is', async () => {
  const table = new ProcTable(undefined, () => ({ last: 1, count: 0 }));
  const { elder, since } = await openElder(table);
  const program = await workshop.shell('read line');
  const [first, second, whole] = [table.readSync(since), table.readSync(since), table.readSync()].map((rows) =>
    [process.ppid, elder.pid, program.pid].map((pid) => rows.find((row) => row.pid === pid)),
  );
  expect(second!.map((row, index) => row === first![index])).toEqual([true, true, false]);
  expect(whole!.map((row, index) => row === first![index])).toEqual([false, false, false]);
});

const PID_MAX = Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8'));

test.each([
  ['its number has been given', true, (pid: number) => [at(pid - 1), at(pid)]],
  ['the numbers before its own have been given', false, (pid: number) => [at(pid - 9), at(pid - 1)]],
  ['the numbers after its own have been given', false, (pid: number) => [at(pid), at(pid + 9)]],
  ['they have been given from the lowest again, up to its own', true, (pid: number) => [at(pid + 9), at(pid)]],
  ['they have been given from its own on, and from the lowest', true, (pid: number) => [at(pid - 1), at(pid - 2)]],
  ['they have been given from the lowest, but not its own', false, (pid: number) => [at(pid + 9), at(pid - 1)]],
  ['so many have been given that it may be each', true, (pid: number) => [at(pid), at(pid, 4_194_304)]],
  [
    'a third of all have been given, and the others may be in use',
    true,
    (pid: number) => [at(pid), at(pid, PID_MAX / 3)],
  ],
  ['the system does not say which', true, () => [at(NaN), at(NaN)]],
  ['the system does not say how many', true, (pid: number) => [at(pid, NaN), at(pid, NaN)]],
])('where %s, a process is read again: %s', async (_, isRead, toGiven) => {
  const given: { last: number; count: number }[] = [];
  const table = new ProcTable(
    () => [String(process.ppid), String(elder.pid)],
    () => given[Math.min(readings, 1)]!,
  );
  const { elder, since } = await openElder(table);
  given.push(...toGiven(elder.pid));
  let readings = 0;
  const rowOf = () => table.readSync(since).find(({ pid }) => pid === elder.pid)!;
  const before = rowOf();
  readings += 1;
  expect(rowOf() !== before).toBe(isRead);
});

function at(last: number, count = 0): { last: number; count: number } {
  return { last, count };
}

/** A program that is older than a run would be which begins now. */
async function openElder(table: ProcTable): Promise<{ elder: { pid: number; stop(): Promise<void> }; since: number }> {
  const elder = await workshop.shell('read line');
  const since = table.find(elder.pid)! + 1;
  while (table.now() < since) await nextTurn();
  return { elder, since };
}

const canUnshare = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;

(canUnshare ? test : test.skip)('a process that gets the number of an older one at its end is seen', () => {
  const program = join(workshop.folder, 'given-again.js');
  buildSync({ entryPoints: [join(__dirname, 'given-again.ts')], bundle: true, platform: 'node', outfile: program });
  const words = ['--pid', '--fork', '--mount-proc', process.execPath, program];
  expect(spawnSync('unshare', words, { encoding: 'utf8' })).toMatchObject({ stderr: '', stdout: 'seen\n', status: 0 });
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
  for (const read of [(table: ProcTable) => table.read(), (table: ProcTable) => Promise.resolve(table.readSync())]) {
    let child = 0;
    const list = (): string[] => {
      const names = readdirSync('/proc');
      if (child === 0) child = Number(execFileSync('/bin/sh', ['-c', 'sleep 60 >/dev/null 2>&1 & echo $!']));
      return names;
    };
    try {
      const rows = await read(new ProcTable(list));
      expect(rows.filter(({ pid }) => pid === child)).toHaveLength(1);
      expect(rows.filter(({ pid }) => pid === process.pid)).toHaveLength(1);
    } finally {
      process.kill(child, 'SIGKILL');
    }
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
