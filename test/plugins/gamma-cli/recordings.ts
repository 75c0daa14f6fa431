import { readFileSync } from 'node:fs';
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
