import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../setup/source-files';

export interface Recording {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** What a real CLI printed, by its file's name without the extension. */
export function recording(folder: 'gemini' | 'qwen', name: string): Recording {
  const text = readFileSync(join(repository, 'test/fixtures', folder, `${name}.txt`), 'utf8');
  const [head = '', rest = ''] = text.split('#---- stdout ----\n');
  const [stdout = '', stderr = ''] = rest.split('\n#---- stderr ----\n');
  const code = /exit=(\d+|null)/.exec(head)?.[1];
  return { exitCode: code === undefined || code === 'null' ? null : Number(code), stdout, stderr };
}

/** The names of all that there are. */
export function recordingsOf(folder: 'gemini' | 'qwen'): string[] {
  const files = readdirSync(join(repository, 'test/fixtures', folder));
  return files.filter((file) => file.endsWith('.txt')).map((file) => file.slice(0, -'.txt'.length));
}
