import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Located } from '../../core/config/located';
import { parseYaml } from '../../core/config/parse-yaml';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'drivebay-config-'));
  folders.push(folder);
  return folder;
}

export function write(folder: string, name: string, content: string | Buffer): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** The located form of a YAML text that is known to be good. */
export function located(text: string, file = 'providers.yaml'): Located {
  const { root, problems } = parseYaml(file, text);
  if (!root) throw new Error(JSON.stringify(problems));
  return root;
}
