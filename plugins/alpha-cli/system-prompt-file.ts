import { randomUUID } from 'node:crypto';
import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SystemPromptFile {
  path: string;
  /** Never rejects. */
  remove(): Promise<void>;
}

/** A file, because arguments can be read by every user of the machine and have a limit of 128 KiB. */
export async function writeSystemPrompt(folder: string, text: string): Promise<SystemPromptFile> {
  const path = join(folder, `.system-prompt-${randomUUID()}.txt`);
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  return { path, remove: () => unlink(path).catch(() => undefined) };
}
