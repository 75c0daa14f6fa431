import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { localProcesses } from '../../core/subprocess/local-processes';
import { programsOf, reapLeftovers } from '../../core/subprocess/reap-leftovers';
import { type DaemonIdentity, formatIdentity, formatMarker, RUN_MARKER } from '../../core/subprocess/run-marker';
import { until } from '../setup/until';
import { isAlive, silent } from './open-programs';

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

/** A program in a session of its own, with the marker of a run of that daemon. */
async function leave(daemon: DaemonIdentity | undefined, script: string): Promise<number> {
  const env = { ...process.env, ...(daemon && { [RUN_MARKER]: formatMarker(daemon, 1) }) };
  const child = spawn('/bin/sh', ['-c', `${script}; echo up; while :; do sleep 0.05; done`], { env, detached: true });
  children.push(child);
  await once(child.stdout, 'data');
  return child.pid!;
}

/** A daemon that has ended: its pid is free, or another process has it by now. */
async function deadDaemon(): Promise<DaemonIdentity> {
  const child = spawn('/bin/sleep', ['60']);
  const pid = child.pid!;
  const { table } = localProcesses();
  const start = table!.find(pid)!;
  child.kill('SIGKILL');
  await once(child, 'exit');
  return { namespace: table!.namespace, pid, start };
}

test('what a dead daemon left is ended, even where it does not listen', async () => {
  const dead = await deadDaemon();
  const left = [await leave(dead, ':'), await leave(dead, `trap '' TERM`)];
  await reapLeftovers(silent);
  await until(() => !left.some(isAlive));
});

test('a process that has got the pid of a dead daemon does not keep its leftovers alive', async () => {
  const reused = { ...localProcesses().identity, start: localProcesses().identity.start - 1_000 };
  const left = await leave(reused, ':');
  await reapLeftovers(silent);
  await until(() => !isAlive(left));
});

test('nothing else is touched', async () => {
  const { identity } = localProcesses();
  const others = [
    await leave(undefined, ':'),
    // Of a daemon that runs: ourselves.
    await leave(identity, ':'),
    // Of another container, whose numbers mean something else.
    await leave({ ...(await deadDaemon()), namespace: `${identity.namespace}1` }, ':'),
  ];
  await reapLeftovers(silent);
  expect(others.filter(isAlive)).toEqual(others);
});

test('the programs of a daemon are found, and no others', async () => {
  // This process stands for it: the daemons of other tests leave the programs of one that runs alone.
  const { identity } = localProcesses();
  const own = [await leave(identity, ':'), await leave(identity, ':')];
  const other = await leave(undefined, ':');
  const found = await programsOf(new Set([formatIdentity(identity)]));
  expect(found).toEqual(expect.arrayContaining(own));
  expect(found).not.toContain(other);
});
