import { CommanderError } from 'commander';
import { ConfigError, formatProblem, hintOf, messageOf, UsageError } from '../errors';
import { findPaths } from '../paths';
import { EXIT } from './exit-codes';
import { explainState, isAboutState } from './daemon/explain-state';
import { printNote } from './terminal/print';
import { InterruptedError } from './terminal/until-interrupted';

/** Says on stderr why a command failed. Returns its exit code. */
export function reportError(thrown: unknown): number {
  const paths = findPaths(process.env, '/');
  const error = isAboutState(thrown, paths) ? explainState(thrown, paths) : thrown;
  // Help and version come this way, too; what commander has to say is printed already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof InterruptedError) return error.exitCode;
  if (error instanceof ConfigError) {
    const count = error.problems.length;
    printNote(`error: the configuration has ${count === 1 ? 'a problem' : `${count} problems`}`);
    error.problems.forEach((problem) => printNote(`  ${formatProblem(problem)}`));
    return EXIT.usage;
  }
  printNote(`error: ${messageOf(error)}`);
  const hint = hintOf(error);
  if (hint !== undefined) printNote(`  ${hint}`);
  return error instanceof UsageError ? EXIT.usage : EXIT.failure;
}
