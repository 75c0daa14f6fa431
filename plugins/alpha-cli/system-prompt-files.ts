import { randomUUID } from 'node:crypto';
import { existsSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** For so long the file of the last chat waits for another one with the same system prompt. */
const KEEP_MS = 10_000;

export interface SystemPromptFile {
  path: string;
  /** To be called once, when the chat has ended. */
  release(): void;
}

interface SharedFile {
  path: string;
  users: number;
  removal: NodeJS.Timeout | undefined;
}

/**
 * System prompts in files, because arguments can be read by every user of the machine and have a limit of 128 KiB. Chats
 * with the same prompt, which an editor or an agent sends in a row, share one: to make and remove a file for each of them
 * is a tenth of what a chat costs.
 */
export class SystemPromptFiles {
  private readonly files = new Map<string, SharedFile>();

  take(folder: string, text: string): SystemPromptFile {
    const file = this.find(text) ?? this.write(folder, text);
    file.users += 1;
    clearTimeout(file.removal);
    return { path: file.path, release: () => this.release(text, file) };
  }

  /** Removes them all. Never throws. */
  close(): void {
    for (const [text, file] of this.files) this.remove(text, file);
  }

  private find(text: string): SharedFile | undefined {
    const file = this.files.get(text);
    // It is in a folder of caches, which people empty.
    return file && existsSync(file.path) ? file : undefined;
  }

  /** At once: to hand the calls to other threads would take several times their work. */
  private write(folder: string, text: string): SharedFile {
    const path = join(folder, `.system-prompt-${randomUUID()}.txt`);
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    const file = { path, users: 0, removal: undefined };
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
      // Nobody else can read it.
    }
  }
}
