import { randomUUID } from 'node:crypto';
import type { PlannedRequest } from '../http/pool-request';
import type { PlannedProgram } from '../subprocess/programs';

/** What a call would do: start this program, or send this request. */
export type PlannedCall =
  { program: PlannedProgram; request?: undefined } | { request: PlannedRequest; program?: undefined };

/**
 * Lets a driver go through a call, and stops it before the message leaves us: the program or the request that would
 * carry the message is the call. Earlier steps, for example a look at the help of a program, happen as always. Works
 * for every driver that uses the programs and the connections of its context.
 */
export class Rehearsal {
  /** Stands for the message of the user. No format escapes its characters. */
  readonly message = `drivebay-rehearsal-${randomUUID()}`;
  planned: PlannedCall | undefined;

  readonly beforeStart = (program: PlannedProgram): void => {
    const { args, input } = program;
    // Without an input the driver writes the message later.
    if (input === undefined || this.isIn(input) || args.some((arg) => this.isIn(arg))) this.stop({ program });
  };

  readonly beforeSend = (request: PlannedRequest): void => {
    const { url, body } = request;
    const isPlain = typeof body === 'string' || body instanceof Uint8Array;
    // Only sending shows the content of a stream.
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
