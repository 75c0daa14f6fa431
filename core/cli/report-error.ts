import { CommanderError } from 'commander';
import { ConfigError, formatProblem, hintOf, messageOf, UsageError } from '../errors';
import { explainFolder, findPaths } from '../paths';
import { EXIT } from './exit-codes';
import { hideKeys } from './hide-keys';
import { printNote, printWarnings } from './terminal/print';
import { InterruptedError } from './terminal/signals';

/** Says on stderr why a command failed. Returns its exit code. */
export function reportError(thrown: unknown): number {
  const error = explained(thrown);
  // Commander has printed its message already. Help and version arrive here too, with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof InterruptedError) return error.exitCode;
  if (error instanceof ConfigError) {
    const count = error.problems.length;
    printNote(`error: the configuration has ${count === 1 ? 'a problem' : `${count} problems`}`);
    error.problems.forEach((problem) => printNote(`  ${formatProblem(problem)}`));
    printWarnings(error.warnings);
    return EXIT.usage;
  }
  printNote(hideKeys(`error: ${messageOf(error)}`));
  const hint = hintOf(error);
  if (hint !== undefined) printNote(hideKeys(`  ${hint}`));
  return error instanceof UsageError ? EXIT.usage : EXIT.failure;
}

/** The folders are found here only: without a home folder the search fails, and the error is then about something else. */
function explained(error: unknown): unknown {
  try {
    return explainFolder(error, findPaths(process.env, '/'));
  } catch {
    return error;
  }
}
