import { suggestProvider } from '../config/did-you-mean';
import type { Logger } from '../contract/api';
import { makeLogger } from '../contract/make-logger';
import { Redactor } from '../contract/redact';
import { nameOrHidden } from '../contract/secrets';
import { openProject, type ProjectOptions } from '../daemon/project/project';
import type { LlmDevice } from '../devices/device';
import { UsageError } from '../errors';
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
 * Opens the project of this folder for a command that needs no daemon. Warnings of drivers go to stderr. The command flushes the ledger,
 * which records the tokens that it spends.
 */
export function openProjectHere(given: ProjectHereOptions) {
  const { isQuiet = false, keepsBooks = false, environment = process.env, folder, ...options } = given;
  const redactor = new Redactor();
  const log = isQuiet ? makeLogger(() => undefined) : noteLogger(redactor);
  const ledger = keepsBooks ? new Ledger({ state: pathsHere().state, redactor, log }) : undefined;
  const own = { workingDirectory: folder ?? workingDirectory(), environment, log, redactor, ledger };
  return { project: openProject({ ...options, ...own }), ledger, redactor };
}

export function chooseDevice(devices: readonly LlmDevice[], name: string): LlmDevice {
  const found = devices.find((device) => device.name === name);
  if (found) return found;
  const names = devices.map((device) => device.name);
  throw new UsageError(`there is no provider ${nameOrHidden(name)}`, suggestProvider(name, names));
}

/** The log of a command: people read warnings as notes, without the time and the fields that a log file needs. */
function noteLogger(redactor: Redactor): Logger {
  return makeLogger((level, message, { provider } = {}) => {
    if (level !== 'warn' && level !== 'error') return;
    const who = typeof provider === 'string' ? `${provider}: ` : '';
    printNote(redactor.redact(`warning: ${who}${message}`));
  });
}
