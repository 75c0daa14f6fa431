import type { Call, Logger, Workspace } from '../contract/api';
import { bindLogger } from './bind-logger';
import type { TurnResult } from './answer';
import type { CallClock } from './call-clock';

/** Who wants an answer, and where its circumstances go. */
export interface Caller {
  id: string;
  /** One per call: the caller fires it, with a `CallAborted`, to end the call; at the deadline the turn does. */
  abort: AbortController;
  /** When the request arrived, in ms since the epoch: the timeout counts from here. */
  arrivedAt: number;
  /** Waits for a slot however long the queue is, and its timeout counts from there. */
  isPatient?: boolean;
  /** Called when the turn has its slot. */
  onStart?(): void;
  /** Called with what was used until then when a turn fails that had reached its driver. */
  onFailure?(used: TurnResult): void;
  /** The agent process that asks; absent: a client of the gateway. */
  pid?: number;
  trace?(event: string, fields: Record<string, unknown>): void;
  /** Takes what the driver logs about this call, besides the log of the provider. */
  log?: Logger;
  workspace?: Workspace;
}

/** What a driver is told about a turn. A class, so that a logger of its own is only made when the driver logs. */
export class TurnCall implements Call {
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
    const log = bindLogger(this.providerLog, { id: this.id });
    return this.caller.log ? both(log, this.caller.log) : log;
  }

  trace(event: string, fields: Record<string, unknown>): void {
    if (this.caller.trace) this.caller.trace(event, fields);
    else this.log.debug(event, fields);
  }
}

function both(one: Logger, other: Logger): Logger {
  const at = (level: keyof Logger) => (message: string, fields?: Record<string, unknown>) => {
    one[level](message, fields);
    other[level](message, fields);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
