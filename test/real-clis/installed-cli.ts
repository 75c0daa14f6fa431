import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The path of a program that `npm run test:real-clis` has installed. */
export function installedCli(name: string): string {
  const file = join(__dirname, 'node_modules/.bin', name);
  if (!existsSync(file)) throw new Error(`${file} is not there: start the tests with npm run test:real-clis`);
  return file;
}
