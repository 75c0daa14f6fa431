import { rm, stat } from 'node:fs/promises';
import { codeOf } from '../errors';
import { ledgerFile, monthFiles } from './ledger-files';

/** How much of the ledger is kept, in whole months; the current one always is. */
export interface LedgerRetention {
  /** With the current one: thirteen let a month be compared with the same one of the year before. */
  months: number;
  bytes: number;
}

const LEDGER_RETENTION: LedgerRetention = { months: 13, bytes: 200 * 1024 * 1024 };

/** Drops the months that are too old, then the oldest until the rest fits. */
export async function pruneLedger(
  state: string,
  { months, bytes }: LedgerRetention = LEDGER_RETENTION,
  now = Date.now(),
): Promise<void> {
  const first = ledgerFile(state, monthsBefore(now, months - 1));
  const current = ledgerFile(state, now);
  let left = bytes;
  for (const file of (await monthFiles(state)).reverse()) {
    left -= await sizeOf(file);
    if (file < first || (left < 0 && file < current)) await rm(file, { force: true });
  }
}

function monthsBefore(now: number, months: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months);
}

/** Another daemon may drop it at the same time. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}
