import type { Logger } from '../contract/api';
import { createLogger } from '../log/logger';
import type { LogLevel } from '../log/log-options';
import { openProject, type Project, type ProjectOptions } from '../daemon/project/project';
import { findPaths } from '../paths';
import { Redactor } from '../contract/redact';
import { Ledger } from '../record/ledger';
import { workingDirectory } from './working-directory';

export interface Opened {
  project: Project;
  log: Logger;
  /** Where what is spent is written down; to be flushed. */
  ledger: Ledger | undefined;
  redactor: Redactor;
}

export interface OpenOptions extends Pick<ProjectOptions, 'useProject' | 'file' | 'rehearsal'> {
  /** What drivers say that is no finding of the command. Default: warn. */
  logLevel?: LogLevel;
  /** Whether chats are run, which belong into the ledger. */
  keepsBooks?: boolean;
}

/** What commands do that need no daemon: the project of the folder they were typed in, and a log on stderr. */
export async function open({ logLevel = 'warn', keepsBooks = false, ...options }: OpenOptions): Promise<Opened> {
  const redactor = new Redactor();
  const log = createLogger({ level: logLevel, format: 'text', redactor });
  const { state } = findPaths(process.env, workingDirectory());
  const ledger = keepsBooks ? new Ledger({ state, redactor, log }) : undefined;
  const project = await openProject({
    ...options,
    workingDirectory: workingDirectory(),
    environment: process.env,
    log,
    redactor,
    ...(ledger && { ledger }),
  });
  return { project, log, ledger, redactor };
}
