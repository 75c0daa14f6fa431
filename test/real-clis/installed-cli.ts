import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A folder with programs that are taken in place of those of the same name: test/newer-clis. */
const { REAL_CLIS } = process.env;

/** The path of a program that `npm run test:real-clis` has installed. */
export function installedCli(name: string): string {
  const other = REAL_CLIS && join(REAL_CLIS, name);
  const file = other && existsSync(other) ? other : join(__dirname, 'node_modules/.bin', name);
  if (!existsSync(file)) throw new Error(`${file} is not there: start the tests with npm run test:real-clis`);
  return file;
}
