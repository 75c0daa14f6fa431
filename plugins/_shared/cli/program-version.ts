import { basename } from 'node:path';
import type { Diagnosis } from 'drivebay/plugin';
import type { ProgramAnswer } from './ask-program';

/** A version in whatever a program says to `--version`. */
const VERSION = /\d+\.\d+(?:\.\d+)*(?:-[\w.]+)?/;

/** The finding about the version of a program. */
export function versionFinding(path: string, answer: ProgramAnswer | undefined): Diagnosis {
  const name = basename(path);
  const version = answer && VERSION.exec(answer.output)?.[0];
  if (answer?.code === 0 && version !== undefined) {
    return { topic: 'version', severity: 'ok', message: `${name} ${version} (${path})` };
  }
  const why = answer ? `ends with exit code ${answer.code ?? 'of a signal'}, without a version` : 'does not answer';
  return {
    topic: 'version',
    severity: 'warning',
    message: `${path} --version ${why}`,
    fix: `run it by hand: ${path} --version`,
  };
}
