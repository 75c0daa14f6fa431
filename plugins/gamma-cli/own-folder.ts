import { join } from 'node:path';
import { homeFolder } from '../_shared/home-folder';
import type { Cli } from './cli';

/** A file in the CLI's own folder. */
export function ownFile(dialect: Cli['dialect'], ...names: string[]): string {
  const home = (dialect === 'gemini' && process.env.GEMINI_CLI_HOME) || homeFolder();
  return join(home, `.${dialect}`, ...names);
}
