import { randomUUID } from 'node:crypto';
import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SystemPromptFile {
  path: string;
  /** Never throws. */
  remove(): void;
}

/**
 * A file, because arguments can be read by every user of the machine and have a limit of 128 KiB. It is written and
 * removed at once: to hand five calls to other threads took several times the work of the calls.
 */
export function writeSystemPrompt(folder: string, text: string): SystemPromptFile {
  const path = join(folder, `.system-prompt-${randomUUID()}.txt`);
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  return { path, remove: () => remove(path) };
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Nobody else can read it.
  }
}
