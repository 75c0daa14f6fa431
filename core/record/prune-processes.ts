import { randomUUID } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { codeOf } from '../errors';
import type { ProcessFiles } from './process-files';
import { readIndex } from './read-processes';
import { type Kept, outdated, type Retention } from './retention';

/**
 * Drops the records that need not be kept, and the lines of the index that later ones, or nothing, stand for. The new
 * index takes the place of the old one at once, so whoever reads sees one of them. To be called while nothing is
 * appended to the index.
 */
export async function pruneProcesses(files: ProcessFiles, retention: Retention): Promise<void> {
  const { summaries, lines } = readIndex(files.index);
  const useless = files.leftovers();
  const ended: Kept[] = [];
  const pids = files.pids();
  const present = new Set(pids);
  // The next pid is one more than this one, which therefore stays: none is ever used again.
  const highest = pids.at(-1);
  for (const pid of pids) {
    const file = files.record(pid);
    const { size, mtimeMs } = await lookAt(file);
    const summary = summaries.get(pid);
    if (summary?.end) ended.push({ summary, bytes: size });
    // A daemon was killed while it wrote the first line.
    else if (!summary && pid !== highest && mtimeMs < Date.now() - retention.ageMs) useless.push(file);
  }
  for (const pid of summaries.keys()) if (!present.has(pid)) summaries.delete(pid);
  const gone = outdated(ended, retention, Date.now());
  if (highest !== undefined) gone.delete(highest);
  for (const pid of gone) summaries.delete(pid);
  if (summaries.size < lines) {
    const next = `${files.index}.${randomUUID()}`;
    const text = [...summaries.values()].map((summary) => `${JSON.stringify(summary)}\n`).join('');
    try {
      await writeFile(next, text, { mode: 0o600, flag: 'wx' });
      await rename(next, files.index);
    } catch (error) {
      await rm(next, { force: true });
      throw error;
    }
  }
  // After the index, so that nothing in it leads nowhere.
  for (const file of [...useless, ...[...gone].map((pid) => files.record(pid))]) await rm(file, { force: true });
}

/** Another daemon may drop records at the same time. */
async function lookAt(file: string): Promise<{ size: number; mtimeMs: number }> {
  try {
    return await stat(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { size: 0, mtimeMs: 0 };
    throw error;
  }
}
