import type { Call, Logger, Workspace } from '../contract/api';
import { makeLogger } from '../contract/make-logger';
import type { CallClock } from './call-clock';
import type { Caller } from './caller';

/** What a driver learns about a call. A class, because a logger of its own is needed only when the driver logs. */
export class DriverCall implements Call {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly workspace?: Workspace;

  constructor(
    private readonly caller: Caller,
    clock: CallClock,
    private readonly providerLog: Logger,
  ) {
    this.id = caller.id;
    this.signal = clock.signal;
    this.deadline = clock.deadline;
    if (caller.workspace) this.workspace = caller.workspace;
  }

  get log(): Logger {
    const { id, caller, providerLog } = this;
    return makeLogger((level, message, fields) => {
      providerLog[level](message, { id, ...fields });
      caller.log?.[level](message, fields);
    });
  }

  trace(event: string, fields: Record<string, unknown>): void {
    if (this.caller.trace) this.caller.trace(event, fields);
    else this.log.debug(event, fields);
  }
}
