import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new, empty folder that is removed after the tests of the file. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'drivebay-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
