import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Logger } from '../contract/api';
import { codeOf } from '../errors';
import { isFields } from '../fields';
import { readTable, type TableEntry } from './read-table';

/** Far more than the largest list of prices. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Some editors put it at the beginning of a file. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A file with the prices of many models. It is read once, in the background, from the first question on. A file that cannot
 * be read is reported in the log, and gives no price.
 */
export class PriceTable {
  private models: ReadonlyMap<string, TableEntry> | undefined;
  private done: Promise<void> | undefined;

  constructor(
    readonly file: string,
    private readonly log: Logger,
  ) {}

  /** Resolves when the table is read, and never rejects; undefined once it is. */
  get reading(): Promise<void> | undefined {
    if (this.models) return undefined;
    this.done ??= this.read();
    return this.done;
  }

  /** Undefined as well while the table is read. */
  find(key: string): TableEntry | undefined {
    return this.models?.get(key);
  }

  private async read(): Promise<void> {
    try {
      this.models = await readPrices(this.file);
      this.log.debug('price table read', { file: this.file, models: this.models.size });
    } catch (error) {
      const why = whyUnusable(error);
      this.log.warn(`price_table ${this.file} cannot be used (${why}): it gives no price until the next reload`);
      this.models = new Map();
    }
  }
}

/** The prices of a file, by model. Rejects where it has none. */
export async function readPrices(file: string): Promise<ReadonlyMap<string, TableEntry>> {
  return readTable(parse(await readWhole(file)));
}

export const whyUnusable = (error: unknown): string => codeOf(error) ?? (error as Error).message;

async function readWhole(path: string): Promise<string> {
  // Without the flag, opening a pipe would block.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (stats.size > MOST_BYTES) throw new Error('it is larger than 64 MiB');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** The parser's own message would show a part of a file that may be another one than the user thinks. */
function parse(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    throw new Error('it is not JSON');
  }
  if (!isFields(value)) throw new Error('it is not a JSON object with a model in each field');
  return value;
}
