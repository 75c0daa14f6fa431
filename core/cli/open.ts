import { UsageError } from '../errors';
import type { Logger } from '../plugins/api';
import { createLogger } from '../logger';
import { openProject, type Project, type ProjectOptions } from '../daemon/project';
import { Redactor } from '../redact';

export interface Opened {
  project: Project;
  log: Logger;
  redactor: Redactor;
}

/** What commands do that need no daemon: the project of the folder they were typed in, and a log on stderr. */
export async function open(options: Pick<ProjectOptions, 'useProject' | 'file' | 'rehearsal'>): Promise<Opened> {
  const redactor = new Redactor();
  const log = createLogger({ level: 'warn', format: 'text', redactor });
  const project = await openProject({
    ...options,
    workingDirectory: workingDirectory(),
    environment: process.env,
    log,
    redactor,
  });
  return { project, log, redactor };
}

export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('the working directory does not exist any more', 'change to another folder and try again');
  }
}
