import { setTimeout as pause } from 'node:timers/promises';
import { treeOf } from '../bench/process-usage.mjs';

const LOOK_EVERY_MS = 200;
const SAME_LOOKS = 15;
/** A program that was cancelled has its grace, and is looked for after that. */
const SETTLE_MS = 60_000;

/**
 * The files and sockets that a daemon has open when nothing is asked any more: when its programs have ended, and there are no
 * more than `before`, or else when nothing changes any more.
 */
export async function settle(house, before) {
  const end = performance.now() + SETTLE_MS;
  let files = [];
  for (let same = 0; same < SAME_LOOKS && performance.now() < end;) {
    await pause(LOOK_EVERY_MS);
    for (const backend of Object.values(house.backends)) backend.closeIdle();
    const now = house.openFiles;
    const isAlone = treeOf(house.child.pid).length === 1;
    if (isAlone && before && now.length <= before.length) return now;
    // Without a limit to reach, it has to be sure.
    same = isAlone && !before && now.length === files.length ? same + 1 : 0;
    files = now;
  }
  return files;
}

/** Each kind of file of which there are more than before the load. */
export function judgeFiles(before, after) {
  if (after.length <= before.length) return [];
  const kindOf = (file) => file.replace(/:?\[\d+\]$/, '');
  const count = (files, kind) => files.filter((file) => kindOf(file) === kind).length;
  const kinds = [...new Set(after.map(kindOf))].filter((kind) => count(after, kind) > count(before, kind));
  const found = kinds.map((kind) => `${kind} ${count(after, kind)}, before the load ${count(before, kind)}`);
  return [`files are open: ${found.join('; ')}`];
}
