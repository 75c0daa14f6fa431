import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SystemPromptFile {
  path: string;
  /** Never rejects. */
  remove(): Promise<void>;
}

/** A file, because arguments can be read by every user of the machine and have a limit of 128 KiB. */
export async function writeSystemPrompt(folder: string, text: string): Promise<SystemPromptFile> {
  // Its folder is 0700, whatever the umask.
  const own = await mkdtemp(join(folder, '.system-prompt-'));
  const path = join(own, 'system-prompt.txt');
  await writeFile(path, text, { mode: 0o600 });
  return { path, remove: () => rm(own, { recursive: true, force: true }).catch(() => undefined) };
}
