import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../contract/api';
import type { Redactor } from '../contract/redact';
import { codeOf, HintedError, messageOf } from '../errors';
import { makeFolder } from '../make-folder';
import { isDiskFull } from '../paths';
import { AppendFile } from './append-file';
import type { Exchange } from './exchange';
import { viewExchange } from './exchange-view';
import { unlessGone } from './read-lines';

/** Of the file that grows, and of the one before it. */
const LIMIT_BYTES = 8 * 1024 * 1024;

interface RecordOptions {
  /** An absolute path. */
  folder: string;
  /** Whether prompts, answers and messages of failures are written too. */
  withContent: boolean;
}

/** Makes the folder at once, and the file when the port is known. */
export function recordInto(options: RecordOptions, redactor: Redactor, log: Logger): (port: number) => ExchangeFile {
  try {
    makeFolder(options.folder);
  } catch (error) {
    const isInTheWay = ['EEXIST', 'ENOTDIR'].includes(codeOf(error) ?? '');
    const reason = isInTheWay ? 'a file, or a link that leads nowhere, is in its way' : messageOf(error);
    const message = `requests cannot be recorded in ${options.folder}: ${reason}`;
    throw new HintedError(message, 'name another folder: serve --record <folder>');
  }
  return (port) => new ExchangeFile(port, options, redactor, log);
}

/**
 * The flight recorder of a gateway on disk: a line for each request that has ended, as `debug show --json` prints it. Nothing
 * is written that is not redacted. A full file takes the place of the one before.
 */
export class ExchangeFile {
  private readonly file: AppendFile;

  constructor(
    port: number,
    private readonly options: RecordOptions,
    private readonly redactor: Redactor,
    log: Logger,
    private readonly limit = LIMIT_BYTES,
  ) {
    const { folder } = options;
    let hasWarned = false;
    const failed = (error: unknown) => {
      const hint = 'open the gateway with another folder: serve --record <folder>';
      const wayOut = isDiskFull(error) ? `free space on its disk, or ${hint}` : hint;
      if (!hasWarned) log.warn(`requests cannot be recorded in ${folder}: ${messageOf(error)}; ${wayOut}`);
      hasWarned = true;
    };
    this.file = new AppendFile(join(folder, `gateway-${port}.ndjson`), failed, true);
  }

  add(exchange: Exchange): void {
    this.file.append(this.redactor.redactData(viewExchange(exchange, this.options.withContent)));
    void this.flush();
  }

  /** Resolves when the system has every line. */
  async flush(): Promise<void> {
    await this.file.flush();
    await this.file.alone(() => this.turnOver());
  }

  private async turnOver(): Promise<void> {
    const { path } = this.file;
    const size = (await unlessGone(stat(path), undefined))?.size ?? 0;
    if (size > this.limit) await rename(path, path.replace(/\.ndjson$/, '.1.ndjson'));
  }
}
