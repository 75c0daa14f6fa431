import { randomUUID } from 'node:crypto';
import { existsSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How long the file of the last chat waits for another chat with the same system prompt. */
const KEEP_MS = 10_000;

interface SharedFile {
  path: string;
  users: number;
  removal?: NodeJS.Timeout;
}

/**
 * System prompts in files, because every user of the machine can read arguments, which have a limit of 128 KiB. Chats with the
 * same prompt, as an editor or an agent sends them in a row, share one file: a file of its own is a tenth of what a chat costs.
 */
export class SystemPromptFiles {
  private readonly files = new Map<string, SharedFile>();

  /** `release` is to be called once, when the chat has ended. */
  take(folder: string, text: string): { path: string; release: () => void } {
    const known = this.files.get(text);
    // The folder is one of caches, which users empty.
    const file = known && existsSync(known.path) ? known : this.write(folder, text);
    file.users += 1;
    clearTimeout(file.removal);
    return { path: file.path, release: () => this.release(text, file) };
  }

  close(): void {
    for (const [text, file] of this.files) this.remove(text, file);
  }

  /** Synchronous, because other threads would take several times as long. */
  private write(folder: string, text: string): SharedFile {
    const path = join(folder, `.system-prompt-${randomUUID()}.txt`);
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    const file: SharedFile = { path, users: 0 };
    this.files.set(text, file);
    return file;
  }

  private release(text: string, file: SharedFile): void {
    file.users -= 1;
    if (file.users === 0) file.removal = setTimeout(() => this.remove(text, file), KEEP_MS).unref();
  }

  private remove(text: string, file: SharedFile): void {
    clearTimeout(file.removal);
    if (this.files.get(text) === file) this.files.delete(text);
    try {
      unlinkSync(file.path);
    } catch {
      // No other user can read it.
    }
  }
}
