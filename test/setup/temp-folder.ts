import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new, empty folder. environment.js removes it after the tests of the file. */
export function tempFolder(): string {
  return mkdtempSync(join(tmpdir(), 'drivebay-test-'));
}
