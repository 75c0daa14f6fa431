import { HttpError } from '../../../serving/http-error';
import { errorCodes } from '../../error-codes';

/** A request of a conversation that its client leaves with the backend: it holds only what is new. */
export class ThreadRefused extends HttpError {
  /** By these words SDKs know to send the whole conversation from here on. */
  readonly details = { error_code: 'thread_unsupported_request', unsupported: ['thread'] };

  constructor() {
    const message = 'thread: no conversation is kept here: send all of its messages, and no thread';
    super(errorCodes.invalid_request.status, 'invalid_request', message, { param: 'thread' });
  }
}

/** Throws for a field that only makes sense where the backend keeps conversations. */
export function refuseThread({ thread }: Record<string, unknown>): void {
  if (thread != null) throw new ThreadRefused();
}
