import type { OsProcess } from '../../core/subprocess/os-process-table';
import { ProcessTree } from '../../core/subprocess/process-tree';

const row = (pid: number, start: number, more: Partial<OsProcess> = {}): OsProcess => ({
  ...{
    pid,
    parent: 1,
    group: pid,
    session: pid,
    start,
    marker: () => undefined,
    variable: () => undefined,
    memory: () => 0,
  },
  ...more,
});
const pids = (rows: OsProcess[]) => rows.map(({ pid }) => pid);

test('the pid of a leader that is gone may belong to another process', () => {
  const tree = new ProcessTree({ leader: 50, since: 100, marker: 'm' });
  const tool = row(60, 101, { marker: () => 'm' });
  expect(pids(tree.members([row(50, 100), tool]))).toEqual([50, 60]);
  expect(pids(tree.members([tool]))).toEqual([60]);
  expect(pids(tree.members([row(50, 107), tool]))).toEqual([60]);
});

test('as long as its group has a member, no other process gets the pid of the leader', () => {
  const tree = new ProcessTree({ leader: 50, since: 100, marker: 'm' });
  const inGroup = row(60, 101, { group: 50, session: 50 });
  expect(pids(tree.members([inGroup]))).toEqual([60]);
  expect(pids(tree.members([inGroup, row(61, 102, { group: 50 })]))).toEqual([60, 61]);
});

test('a process that is older than the program does not belong to it', () => {
  const tree = new ProcessTree({ leader: 50, since: 100, marker: 'm' });
  expect(pids(tree.members([row(50, 100), row(60, 99, { marker: () => 'm' })]))).toEqual([50]);
});
