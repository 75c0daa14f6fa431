import { codeOf } from '../../errors';
import { HttpError } from '../../serving/http-error';

/**
 * Why a part that is loaded at its first use is not there: an update or a removal of the package, below a daemon that runs. By
 * the code, a command that ends the daemon knows that it has to signal it.
 */
export function programGone(): HttpError {
  const message = 'the program of the daemon was moved, replaced or removed since its start';
  return new HttpError(500, 'no_answer', message, { hint: 'run: drivebay daemon restart' });
}

export function isPartMissing(error: unknown): boolean {
  return ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'].includes(codeOf(error) ?? '');
}
