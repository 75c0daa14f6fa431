import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeDrafts } from '../write-whole';
import { unlessGone } from './read-lines';

/** The folder of the ledger, with one file per month. */
export function ledgerDirectory(state: string): string {
  return join(state, 'usage');
}

/** The file of a month in UTC: `2026-11.ndjson`. */
export function ledgerFile(state: string, time: number): string {
  return join(ledgerDirectory(state), `${new Date(time).toISOString().slice(0, 7)}.ndjson`);
}

/** The file with the prices that `usage --reprice` has written for a month: `2026-11.prices.ndjson`. */
export function overlayFile(monthFile: string): string {
  return monthFile.replace(/\.ndjson$/, '.prices.ndjson');
}

export async function monthFiles(state: string): Promise<string[]> {
  const directory = ledgerDirectory(state);
  const names = await unlessGone(readdir(directory), []);
  return names
    .filter((name) => /^\d{4}-\d{2}\.ndjson$/.test(name))
    .sort()
    .map((name) => join(directory, name));
}

/** Includes the current month, which always stays. Thirteen months reach back to the same month of last year. */
const LEDGER_RETENTION = { months: 13, bytes: 200 * 1024 * 1024 };

/** Drops the months that are too old, then the oldest until the rest fits. */
export async function pruneLedger(state: string, retention = LEDGER_RETENTION, now = Date.now()): Promise<void> {
  const date = new Date(now);
  const first = ledgerFile(state, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - retention.months + 1));
  const current = ledgerFile(state, now);
  let left = retention.bytes;
  for (const file of (await monthFiles(state)).reverse()) {
    left -= (await unlessGone(stat(file), undefined))?.size ?? 0;
    if (file >= first && (left >= 0 || file >= current)) continue;
    for (const each of [file, overlayFile(file)]) await rm(each, { force: true });
  }
  removeDrafts(ledgerDirectory(state));
}
