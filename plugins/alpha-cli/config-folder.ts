import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fields, fieldsOf, parseJson } from '../_shared/fields';
import { homeFolder } from '../_shared/home-folder';

/** Where the program has the user's settings and instructions, and its sessions. */
export function configFolder(): string {
  return process.env.CLAUDE_CONFIG_DIR || join(homeFolder(), '.claude');
}

/** The file that the program itself keeps writing: its login, and its data about each folder. Empty if there is none. */
export async function readState(): Promise<Fields> {
  const file = join(process.env.CLAUDE_CONFIG_DIR || homeFolder(), '.claude.json');
  return fieldsOf(parseJson(await readFile(file, 'utf8').catch(() => '')));
}
