import { fstatSync, readdirSync, readlinkSync } from 'node:fs';
import { RESOURCES, watchResources } from '../check/watch-resources';

/** Notes what is opened while `counts` holds, and the files that the process opens. `left` is what is still open, in words. */
export function watchLeftovers(counts: () => boolean): { left: () => string[]; stop: () => void } {
  const before = openFiles();
  const { open, timers, stop } = watchResources(RESOURCES, counts);
  const intervals = () => timers().filter(({ _repeat }) => typeof _repeat === 'number');
  return {
    left: () => [
      ...open(),
      ...intervals().map(() => 'an interval: clearInterval'),
      ...[...openFiles()].filter(([file]) => !before.has(file)).map(([, words]) => words),
    ],
    stop,
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
