import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { codeOf, HintedError, UsageError } from '../../errors';
import type { ChatPart } from '../control/chat-protocol';
import { findPaths } from '../../paths';
import { isBelow, realFolder } from './roots';

/** Of one question. The largest window of a model holds less. */
const TOTAL_LIMIT = 12 * 1024 * 1024;

const IMAGES: [type: string, begins: RegExp][] = [
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF[^]{4}WEBP/],
];

interface Asked {
  files?: readonly string[];
  images?: readonly string[];
}

/** Reads files of the client for a question. Nothing outside of the roots is opened, also not through a symbolic link. */
export class FileReader {
  private left = TOTAL_LIMIT;

  constructor(
    private readonly roots: readonly string[],
    private readonly howToAllow: string,
    /** Of the files below them. */
    private readonly isOpen: (path: string) => boolean,
  ) {}

  async read({ files = [], images = [] }: Asked): Promise<ChatPart[]> {
    const parts: ChatPart[] = [];
    for (const path of files) parts.push({ type: 'text', text: await this.readText(path) });
    for (const image of images) {
      parts.push({
        type: 'image',
        url: image.startsWith('data:') ? this.checkedUrl(image) : await this.readImage(image),
      });
    }
    return parts;
  }

  private async readText(given: string): Promise<string> {
    const bytes = await this.readFile(given);
    try {
      if (bytes.includes(0)) throw new TypeError('a NUL');
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      return `File ${given}:\n\n${text}\n\n(end of file ${given})`;
    } catch {
      throw new UsageError(`${given} is not UTF-8 text`, 'name a text file; a picture goes into `images`');
    }
  }

  private async readImage(given: string): Promise<string> {
    const bytes = await this.readFile(given);
    const head = bytes.toString('latin1', 0, 16);
    const type = IMAGES.find(([, begins]) => begins.test(head))?.[0];
    if (type) return `data:image/${type};base64,${bytes.toString('base64')}`;
    throw new UsageError(`${given} is not a picture that models take`, 'give a PNG, JPEG, GIF or WebP file');
  }

  private checkedUrl(url: string): string {
    if (!/^data:image\/[a-z+.-]+;base64,/i.test(url)) {
      throw new UsageError(
        'an image is neither a file nor a picture in base64',
        'give a path, or data:image/png;base64,...',
      );
    }
    this.count(url.length, 'the picture');
    return url;
  }

  private async readFile(given: string): Promise<Buffer> {
    const path = await this.admitted(given);
    let file: FileHandle | undefined;
    try {
      // Without waiting: a pipe would wait for its writer.
      file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      const stats = await file.stat();
      if (!stats.isFile()) throw new UsageError(`${given} is not a file`, 'name single files');
      this.count(stats.size, given);
      const bytes = await file.readFile();
      this.count(bytes.length - stats.size, given);
      return bytes;
    } catch (error) {
      throw explained(given, error);
    } finally {
      await file?.close();
    }
  }

  /** The real path of a file below a root. */
  private async admitted(given: string): Promise<string> {
    const { roots, howToAllow } = this;
    if (roots.length === 0) throw new UsageError('there is no folder whose files this client may send', howToAllow);
    const named = roots.map((root) => resolve(root, given)).filter((path) => roots.some((root) => isBelow(root, path)));
    this.requireOpen(given, ...named);
    let missing: unknown;
    for (const path of new Set(named)) {
      try {
        const real = await realpath(path);
        if (roots.some((root) => isBelow(root, real))) {
          this.requireOpen(given, real);
          return real;
        }
      } catch (error) {
        missing = error;
      }
    }
    if (missing !== undefined) throw explained(given, missing);
    throw new UsageError(`${given} is outside of the folders that may be read: ${roots.join(', ')}`, howToAllow);
  }

  private requireOpen(given: string, ...paths: string[]): void {
    if (paths.every(this.isOpen)) return;
    throw new UsageError(
      `${given} is closed to clients, because it may hold keys`,
      'say in the prompt what matters of it',
    );
  }

  private count(bytes: number, given: string): void {
    this.left -= bytes;
    if (this.left >= 0) return;
    const limit = `${TOTAL_LIMIT / 1024 / 1024} MiB`;
    throw new UsageError(`${given} is too much: the files of one question may have ${limit}`, 'send a part of it');
  }
}

function explained(given: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'usage') return error;
  if (code === 'ENOENT' || code === 'ENOTDIR') return new UsageError(`there is no file ${given}`, 'look at its path');
  return new HintedError(`${given} cannot be read (${code ?? 'unknown reason'})`, 'look at its permissions');
}

/** With keys in them, or a configuration that names them. */
const WITHHELD = /^(\.env.*|\.drivebay|providers\.(yaml|yml|json)|\.?mcp\.json)$/i;

/** Whether no client of the gateway gets a file, in whichever folder it stands. */
export function isWithheld(path: string): boolean {
  if (path.split(/[\\/]/).some((name) => WITHHELD.test(name))) return true;
  const { configHome, userConfig, state } = findPaths(process.env, '/');
  const own = [configHome, userConfig, state];
  return [...own, ...own.flatMap(realFolder)].some((folder) => isBelow(folder, path));
}
