import { UsageError } from '../errors';
import type { Logger } from '../plugins/api';
import type { LogFormat, LogLevel } from '../log-options';
import { createLogger } from '../logger';
import { openProject, type Project, type ProjectOptions } from '../daemon/project';
import { findPaths } from '../paths';
import { Redactor } from '../redact';
import { Ledger } from '../state/ledger';

export interface Opened {
  project: Project;
  log: Logger;
  redactor: Redactor;
  /** What each turn uses is written down, where that was asked for. */
  ledger?: Ledger;
}

/** What every command does first: the project of the folder it was typed in, and a log on stderr. */
export async function open(
  options: Pick<ProjectOptions, 'useProject' | 'demo' | 'file' | 'ownSecrets'> & {
    level?: LogLevel;
    format?: LogFormat;
    keepsBooks?: boolean;
  },
): Promise<Opened> {
  const redactor = new Redactor();
  const log = createLogger({ level: options.level ?? 'warn', format: options.format ?? 'text', redactor });
  const directory = workingDirectory();
  const { state } = findPaths(process.env, directory);
  const ledger = options.keepsBooks ? new Ledger({ state, redactor, log }) : undefined;
  const project = await openProject({
    workingDirectory: directory,
    environment: process.env,
    useProject: options.useProject,
    demo: options.demo ?? false,
    ...(options.file !== undefined && { file: options.file }),
    ...(options.ownSecrets && { ownSecrets: options.ownSecrets }),
    log,
    redactor,
    ...(ledger && { ledger }),
  });
  return { project, log, redactor, ...(ledger && { ledger }) };
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('the working directory does not exist any more', 'change to another folder and try again');
  }
}
