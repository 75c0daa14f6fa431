import { ProgramGone } from '../../program-gone';
import { HttpError } from '../../serving/http-error';

/** By the code, a command that ends the daemon knows that it has to signal it. */
export function programGone({ message, hint }: ProgramGone = new ProgramGone()): HttpError {
  return new HttpError(500, 'no_answer', message, { hint });
}
