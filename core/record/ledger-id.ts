import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../errors';
import { makeFolder } from '../make-folder';
import { writeWhole } from '../write-whole';
import { ledgerDirectory } from './ledger-files';

/**
 * Names the ledger of a state folder on every machine that it is moved to. Where it cannot be kept it lasts as long as this
 * daemon, as does what the ledger takes.
 */
export function ledgerId(state: string): string {
  const file = join(ledgerDirectory(state), 'ledger.id');
  const fresh = randomUUID();
  const known = kept(file);
  if (known !== undefined) return known;
  try {
    makeFolder(ledgerDirectory(state));
    writeWhole(file, `${fresh}\n`, { isNew: true });
    return fresh;
  } catch (error) {
    // Another daemon of the same state folder was faster.
    return (codeOf(error) === 'EEXIST' ? kept(file) : undefined) ?? fresh;
  }
}

function kept(file: string): string | undefined {
  try {
    return /^[\w-]{36}$/m.exec(readFileSync(file, 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}
