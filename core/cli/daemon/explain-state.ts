import { codeOf, HintedError, messageOf } from '../../errors';
import type { Paths } from '../../paths';

const REPAIRS: Record<string, string> = {
  ENOSPC: 'free space on its disk',
  EDQUOT: 'free space: your quota is used up',
  EROFS: 'its disk is read-only',
  EACCES: 'let it, and all in it, belong to you',
  EPERM: 'let it, and all in it, belong to you',
  ENOTDIR: 'remove the file that is in its way',
  EEXIST: 'remove the file that is in its way',
};

/** Says of an error of the system that it is about the state folder. Any other error is returned as it is. */
export function explainState(error: unknown, { state }: Pick<Paths, 'state'>): unknown {
  const repair = REPAIRS[codeOf(error) ?? ''];
  if (repair === undefined || error instanceof HintedError) return error;
  return new HintedError(
    `the state folder ${state} cannot be used: ${messageOf(error)}`,
    `${repair}, or choose another one: export XDG_STATE_HOME=<folder>`,
  );
}

/** Whether an error of the system is about a file in the state folder. */
export function isAboutState(error: unknown, { state }: Pick<Paths, 'state'>): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { path, address, syscall } = error as Record<string, unknown>;
  const isIn = (place: unknown) => typeof place === 'string' && `${place}/`.startsWith(`${state}/`);
  // It is made with all folders above it.
  const isAbove = syscall === 'mkdir' && typeof path === 'string' && state.startsWith(`${path}/`);
  return isIn(path) || isIn(address) || isAbove;
}
