// Runs in a namespace of its own, where it says which pid is given next: a process gets the pid of an older one, at its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ProcTable } from '../../core/subprocess/proc-table';

async function main(): Promise<string> {
  const table = new ProcTable();
  const elder = await sleeper();
  const since = table.find(elder.pid!)! + 1;
  while (table.now() < since) await nextTurn();
  writeFileSync('/proc/sys/kernel/ns_last_pid', String(elder.pid! - 1));
  await table.read(since);
  elder.kill('SIGKILL');
  await once(elder, 'exit');
  const next = await sleeper();
  try {
    if (next.pid !== elder.pid) return `pid ${next.pid} in place of ${elder.pid}`;
    const found = (await table.read(since)).find(({ pid }) => pid === next.pid);
    return found && found.start >= since ? 'seen' : `taken for the older one: ${found?.start}, since ${since}`;
  } finally {
    next.kill('SIGKILL');
  }
}

async function sleeper(): Promise<ChildProcess> {
  const child = spawn('sleep', ['60'], { detached: true, env: {}, stdio: 'ignore' });
  await once(child, 'spawn');
  return child;
}

void main().then(console.log);
