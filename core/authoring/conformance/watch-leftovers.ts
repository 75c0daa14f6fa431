import { createHook } from 'node:async_hooks';
import { fstatSync, readdirSync, readlinkSync } from 'node:fs';
import { RESOURCES } from '../check/watch-resources';

interface Timer {
  _destroyed?: boolean;
  /** Of an interval: its time. */
  _repeat?: number | null;
}

/** Notes what is opened while `counts` holds, and the files that the process opens. `left` is what is still open, in words. */
export function watchLeftovers(counts: () => boolean): { left: () => string[]; stop: () => void } {
  const before = openFiles();
  const timers: Timer[] = [];
  const open = new Map<number, string>();
  const hook = createHook({
    init: (id, type, _trigger, resource) => {
      const words = RESOURCES[type];
      if (words === undefined && type !== 'Timeout') return;
      if (!counts()) return;
      if (words !== undefined) open.set(id, words);
      else timers.push(resource);
    },
    destroy: (id) => void open.delete(id),
  }).enable();
  const goesOn = ({ _destroyed, _repeat }: Timer) => _destroyed !== true && typeof _repeat === 'number';
  return {
    left: () => [
      ...open.values(),
      ...timers.filter(goesOn).map(() => 'an interval: clearInterval'),
      ...[...openFiles()].filter(([file]) => !before.has(file)).map(([, words]) => words),
    ],
    stop: () => void hook.disable(),
  };
}

/** The open files of this process by descriptor and inode, in words. None where the system does not list them. */
function openFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of listFolder('/dev/fd')) {
    try {
      const status = fstatSync(Number(name));
      if (status.isFile()) files.set(`${name}:${status.dev}:${status.ino}`, nameFile(name));
    } catch {
      // The descriptor of the list itself.
    }
  }
  return files;
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function nameFile(descriptor: string): string {
  try {
    return `the open file ${readlinkSync(`/proc/self/fd/${descriptor}`)}`;
  } catch {
    return 'an open file';
  }
}
