import { CommanderError } from 'commander';
import { codeOf, ConfigError, formatProblem, HintedError, hintOf, messageOf, UsageError } from '../errors';
import { productName } from '../package';
import { explainFolder, findPaths } from '../paths';
import { explainPart, ProgramGone } from '../program-gone';
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
  if (explainPart(error) instanceof ProgramGone) {
    const what = `${productName} was moved, replaced or removed while this command ran, or is not completely installed`;
    return new HintedError(what, `run the command again; if that does not help: npm install --global ${productName}`);
  }
  if (codeOf(error) === 'EFBIG') {
    const hint = 'ulimit -f shows the limit; open another terminal, or raise it: ulimit -f unlimited';
    return new HintedError(`a file would be larger than this terminal allows (${messageOf(error)})`, hint);
  }
  try {
    return explainFolder(error, findPaths(process.env, '/'));
  } catch {
    return error;
  }
}
