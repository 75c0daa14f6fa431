import { randomUUID } from 'node:crypto';
import type { PlannedRequest } from '../http/pool-request';
import type { PlannedProgram } from '../subprocess/programs';

/** What a call would do: start this program, or send this request. */
export type PlannedCall =
  { program: PlannedProgram; request?: undefined } | { request: PlannedRequest; program?: undefined };

/**
 * Lets a driver go through a call up to the moment in which the message would leave us, and stops it there: whatever is
 * about to carry the message is the call. What comes before it, for example a look at the help of a program, happens as it
 * always does. Works for every driver that uses the programs and the connections of its context.
 */
export class Rehearsal {
  /** Stands for the message of the user. Of characters that no format escapes. */
  readonly message = `drivebay-rehearsal-${randomUUID()}`;
  planned: PlannedCall | undefined;

  readonly beforeStart = (program: PlannedProgram): void => {
    const { args, input } = program;
    // A program whose input stays open is told the message later.
    if (input === undefined || this.isIn(input) || args.some((arg) => this.isIn(arg))) this.stop({ program });
  };

  readonly beforeSend = (request: PlannedRequest): void => {
    const { url, body } = request;
    const isPlain = typeof body === 'string' || body instanceof Uint8Array;
    // One that is a stream cannot be looked into without sending it.
    if ((body !== undefined && !isPlain) || (isPlain && this.isIn(body)) || this.isIn(url.href)) this.stop({ request });
  };

  private isIn(text: string | Uint8Array): boolean {
    return typeof text === 'string' ? text.includes(this.message) : Buffer.from(text).includes(this.message);
  }

  private stop(planned: PlannedCall): never {
    this.planned ??= planned;
    throw Object.assign(new Error('this is a rehearsal'), { code: 'canceled' });
  }
}
