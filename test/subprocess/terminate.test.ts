import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { localProcesses } from '../../core/subprocess/local-processes';
import { ProcessScanner } from '../../core/subprocess/os-process-table';
import { ProcessTree } from '../../core/subprocess/process-tree';
import { terminate } from '../../core/subprocess/terminate';

const STAGES = [
  { signal: 'SIGTERM', afterMs: 0 },
  { signal: 'SIGKILL', afterMs: 5_000 },
] as const;

/** Ends a program that says `ready` when it listens, and counts the readings of the process table. */
async function end(source: string): Promise<{ left: number[]; readings: number; ms: number }> {
  const { table } = localProcesses();
  const since = table!.now() - table!.tolerance;
  const child = spawn(process.execPath, ['-e', source], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  let readings = 0;
  const scanner = new ProcessScanner({
    read: () => {
      readings += 1;
      return table!.read();
    },
  });
  const tree = new ProcessTree({ leader: child.pid!, since, marker: 'none' });
  const began = performance.now();
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const left = await terminate({ tree, exited, hasExited }, STAGES, scanner);
  return { left, readings, ms: performance.now() - began };
}

test('while a program takes its time to end, the process table is not read', async () => {
  const { left, readings } = await end(
    "process.on('SIGTERM', () => setTimeout(() => process.exit(), 150)); setInterval(() => {}, 1e3); console.log('ready')",
  );
  expect(left).toEqual([]);
  // Once to find whom to signal, and once to see that nothing is left.
  expect(readings).toBe(2);
});

test('what a program starts while it ends is found, and told to end', async () => {
  const source = `
    const { spawn } = require('node:child_process');
    process.on('SIGTERM', () => { spawn('sleep', ['60'], { stdio: 'ignore' }).on('spawn', () => process.exit()); });
    setInterval(() => {}, 1e3); console.log('ready');`;
  const { left, ms } = await end(source);
  expect(left).toEqual([]);
  expect(ms).toBeLessThan(4_000);
});
