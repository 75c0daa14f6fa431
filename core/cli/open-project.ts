import type { Logger } from '../contract/api';
import { makeLogger } from '../contract/make-logger';
import { Redactor } from '../contract/redact';
import { openProject, type ProjectOptions } from '../daemon/project/project';
import { Ledger } from '../record/ledger';
import { pathsHere, workingDirectory } from './here';
import { printNote } from './terminal/print';

export interface ProjectHereOptions extends Pick<ProjectOptions, 'useProject' | 'source' | 'rehearsal' | 'rests'> {
  /** Default: the folder that the command was typed in. */
  folder?: string;
  /** Default: that of this command. */
  environment?: NodeJS.ProcessEnv;
  /** For a command that tells in its own words what drivers warn of. */
  isQuiet?: boolean;
  keepsBooks?: boolean;
}

/**
 * Opens the project of this folder for a command that needs no daemon. Warnings of drivers go to stderr. The ledger records the
 * tokens that the command spends.
 */
export function openProjectHere(given: ProjectHereOptions) {
  const { isQuiet = false, keepsBooks = false, environment = process.env, folder, ...options } = given;
  const redactor = new Redactor();
  const log = isQuiet ? makeLogger(() => undefined) : noteLogger(redactor);
  const ledger = keepsBooks ? new Ledger({ state: pathsHere().state, redactor, log }) : undefined;
  const own = { workingDirectory: folder ?? workingDirectory(), environment, log, redactor, ledger };
  return { project: openProject({ ...options, ...own }), ledger, redactor };
}

/** The same, for as long as `work` takes. */
export async function withProjectHere<Result>(
  given: ProjectHereOptions,
  work: (opened: ReturnType<typeof openProjectHere>) => Result | Promise<Result>,
): Promise<Result> {
  const opened = openProjectHere(given);
  try {
    return await work(opened);
  } finally {
    await opened.project.close();
    await opened.ledger?.flush();
  }
}

/** The log of a command: people read warnings as notes, without the time and the fields that a log file needs. */
function noteLogger(redactor: Redactor): Logger {
  return makeLogger((level, message, { provider } = {}) => {
    if (level !== 'warn' && level !== 'error') return;
    const who = typeof provider === 'string' ? `${provider}: ` : '';
    printNote(redactor.redact(`warning: ${who}${message}`));
  });
}
