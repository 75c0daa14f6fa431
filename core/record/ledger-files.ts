import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../errors';

/** The folder of the ledger, with one file per month. */
export function ledgerDirectory(state: string): string {
  return join(state, 'usage');
}

/** The file of a month, which is the one of UTC: `2026-11.ndjson`. */
export function ledgerFile(state: string, time: number): string {
  return join(ledgerDirectory(state), `${new Date(time).toISOString().slice(0, 7)}.ndjson`);
}

/** The files of all months, the oldest first. */
export async function monthFiles(state: string): Promise<string[]> {
  const directory = ledgerDirectory(state);
  try {
    return (await readdir(directory))
      .filter((name) => /^\d{4}-\d{2}\.ndjson$/.test(name))
      .sort()
      .map((name) => join(directory, name));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
