import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

let folders = 0;

/** Makes a folder for a program that stays. Its name says whose it is: those of daemons that were killed are removed. */
export function programFolder(parent: string, kind: string): string {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(`${kind}-`) ? /^(\d+)-\d+$/.exec(name.slice(kind.length + 1))?.[1] : undefined;
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const folder = join(parent, `${kind}-${process.pid}-${(folders += 1)}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
