import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processesWith } from '../bench/process-usage.mjs';

/** Programs that have been asked to end may take their `grace_sec` for it. */
const GRACE_MS = 5_000;

/** Everything else in the state folder is a leftover. */
const STATE = ['processes', 'usage', 'daemon.log', 'daemon.log.1', 'carrier.key', 'rests.json'];
/** What a killed daemon was writing is removed by a later write, when no daemon can still be writing it: after a minute. */
const DRAFT_MS = 90_000;

/** What the daemons of a house have left behind, each as a sentence. To be asked when the last of them has ended. */
export async function findLeftovers({ name, home, state, scratch }, loadEndedAt) {
  const end = Date.now() + GRACE_MS;
  while (processesWith('HOME', home).length > 0 && Date.now() < end) await pause(100);
  const processes = processesWith('HOME', home).map((pid) => `process ${pid} (${commandOf(pid)})`);
  const files = readdirSync(scratch).map((file) => `the scratch file ${file}`);
  const states = readdirSync(state)
    .filter((file) => !STATE.includes(file) && statSync(join(state, file)).mtimeMs < loadEndedAt - DRAFT_MS)
    .map((file) => `the file ${file} of the state folder`);
  return [...processes, ...files, ...states].map((what) => `${what} is left of the ${name} house`);
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return 'ended';
  }
}
