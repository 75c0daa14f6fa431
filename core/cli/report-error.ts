import { CommanderError } from 'commander';
import { codeOf, ConfigError, formatProblem, HintedError, hintOf, messageOf, UsageError } from '../errors';
import { findPaths, type Paths } from '../paths';
import { EXIT } from './exit-codes';
import { printNote } from './terminal/print';
import { InterruptedError } from './terminal/signals';

/** Says on stderr why a command failed. Returns its exit code. */
export function reportError(thrown: unknown): number {
  const paths = findPaths(process.env, '/');
  const error = isAboutState(thrown, paths) ? explainState(thrown, paths) : thrown;
  // Commander has printed its message already. Help and version arrive here too, with exit code 0.
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

const OWN_IT = 'make it, and everything in it, belong to you';
const REMOVE_FILE = 'remove the file that is in its way';
const REPAIRS: Record<string, string> = {
  ENOSPC: 'free space on its disk',
  EDQUOT: 'free space: your quota is used up',
  EROFS: 'its disk is read-only',
  EACCES: OWN_IT,
  EPERM: OWN_IT,
  ENOTDIR: REMOVE_FILE,
  EEXIST: REMOVE_FILE,
};

/** Names the state folder in a system error about it. Returns any other error unchanged. */
export function explainState(error: unknown, { state }: Pick<Paths, 'state'>): unknown {
  const repair = REPAIRS[codeOf(error) ?? ''];
  if (repair === undefined || error instanceof HintedError) return error;
  return new HintedError(
    `the state folder ${state} cannot be used: ${messageOf(error)}`,
    `${repair}, or choose another one: export XDG_STATE_HOME=<folder>`,
  );
}

function isAboutState(error: unknown, { state }: Pick<Paths, 'state'>): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { path, address, syscall } = error as Record<string, unknown>;
  const isIn = (place: unknown) => typeof place === 'string' && `${place}/`.startsWith(`${state}/`);
  // The program creates the state folder together with all folders above it.
  const isAbove = syscall === 'mkdir' && typeof path === 'string' && state.startsWith(`${path}/`);
  return isIn(path) || isIn(address) || isAbove;
}
