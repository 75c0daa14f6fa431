import { z } from 'zod';
import type { ProviderEntry } from '../config/load';
import { accountOf } from './account-of';
import { type Rest, Rests } from './rests';
import { readRests, restSchema, restsFile } from './rests-file';
import type { RedisConnection } from '../shared-state/redis-connection';
import { makeFolder } from '../make-folder';
import { writeWholeLater } from '../write-whole';

const GATHER_MS = 100;
/** How long the failures in a row are remembered after a rest. */
const REMEMBERED_MS = 10 * 60_000;

/**
 * The rests of all providers, kept in `rests.json` of the state folder. Projects with the same provider share its rests. A
 * file that cannot be read counts as empty.
 */
export class RestBook {
  private readonly file: string;
  private readonly rests = new Map<string, Rests>();
  private kept: Record<string, Rest[]> | undefined;
  /** The rests that other machines do not know yet, and the last ones sent. */
  private readonly untold = new Set<string>();
  private readonly told = new Map<string, string>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly state: string,
    /** Whether changes are written. A command that only looks must not write into the file of the daemon. */
    private readonly isWriter: boolean,
    private readonly failed: (error: unknown) => void = () => undefined,
  ) {
    this.file = restsFile(state);
  }

  of(entry: Pick<ProviderEntry, 'name' | 'fields'>): Rests {
    const key = `${entry.name}@${accountOf(entry)}`;
    let rests = this.rests.get(key);
    if (!rests) {
      this.kept ??= readRests(this.file);
      this.rests.set(key, (rests = new Rests(this.kept[key])));
      if (this.isWriter) rests.onChange(() => this.changed(key));
    }
    return rests;
  }

  /** Resolves when the file has every change. */
  async flush(): Promise<void> {
    if (this.timer) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.writing = this.writing.then(() => this.write()).catch(this.failed);
    }
    await this.writing;
  }

  /** Shares the rests with other machines: the latest change of any of them counts. */
  async meet(connection: RedisConnection): Promise<void> {
    const keys = [...this.rests.keys()];
    if (keys.length === 0) return;
    const texts = await connection.read(keys.map((key) => `rests:${key}`));
    for (const [index, key] of keys.entries()) {
      const text = texts[index] ?? undefined;
      const rests = this.rests.get(key)!;
      const isForgotten = text === undefined && rests.list().length > 0;
      if (this.untold.has(key) || isForgotten) await this.tell(connection, key, rests);
      else if (text !== undefined && text !== this.told.get(key)) this.learn(key, rests, text);
    }
  }

  private async tell(connection: RedisConnection, key: string, rests: Rests): Promise<void> {
    const text = JSON.stringify(rests.all());
    const last = Math.max(Date.now(), ...rests.all().map(({ until }) => until));
    this.untold.delete(key);
    try {
      await connection.write(`rests:${key}`, text, last - Date.now() + REMEMBERED_MS);
      this.told.set(key, text);
    } catch (error) {
      this.untold.add(key);
      throw error;
    }
  }

  private learn(key: string, rests: Rests, text: string): void {
    this.told.set(key, text);
    try {
      rests.adopt(z.array(restSchema).parse(JSON.parse(text)));
    } catch {
      // Another version of the program may write them in another form.
      return;
    }
    this.untold.delete(key);
  }

  private changed(key: string): void {
    this.untold.add(key);
    this.timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref();
  }

  private async write(): Promise<void> {
    const forgotten = Date.now() - REMEMBERED_MS;
    // A daemon with another configuration may have written since.
    const all = {
      ...readRests(this.file),
      ...Object.fromEntries([...this.rests].map(([key, rests]) => [key, rests.all()])),
    };
    const entries = Object.entries(all).map(([key, rests]) => [key, rests.filter(({ until }) => until > forgotten)]);
    const rests = Object.fromEntries(entries.filter(([, kept]) => kept!.length > 0)) as Record<string, Rest[]>;
    makeFolder(this.state);
    await writeWholeLater(this.file, `${JSON.stringify({ rests }, null, 2)}\n`);
  }
}
