import type { Logger } from '../../contract/api';
import { makeLogger } from '../../contract/make-logger';
import type { Redactor } from '../../contract/redact';
import { printNote } from './print';

/** The log of a command: people read warnings as notes, without the time and the fields that a log file needs. */
export function noteLogger(redactor: Redactor): Logger {
  return makeLogger((level, message, { provider } = {}) => {
    if (level !== 'warn' && level !== 'error') return;
    const who = typeof provider === 'string' ? `${provider}: ` : '';
    printNote(redactor.redact(`warning: ${who}${message}`));
  });
}
