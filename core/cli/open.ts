import type { Logger } from '../plugins/api';
import { createLogger } from '../logger';
import { openProject, type Project, type ProjectOptions } from '../daemon/project';
import { Redactor } from '../redact';
import { workingDirectory } from './working-directory';

export interface Opened {
  project: Project;
  log: Logger;
}

/** What commands do that need no daemon: the project of the folder they were typed in, and a log on stderr. */
export async function open(options: Pick<ProjectOptions, 'useProject' | 'file'>): Promise<Opened> {
  const redactor = new Redactor();
  const log = createLogger({ level: 'warn', format: 'text', redactor });
  const project = await openProject({
    ...options,
    workingDirectory: workingDirectory(),
    environment: process.env,
    log,
    redactor,
  });
  return { project, log };
}
