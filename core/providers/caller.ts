import type { Call, Logger, Session, Usage, Warmth, Workspace } from '../contract/api';
import type { CallEnd } from '../contract/call-end';
import { makeLogger } from '../contract/make-logger';
import type { Redactor } from '../contract/redact';
import { bounded } from '../errors';
import type { WorkSpan } from '../contract/work-span';
import type { Limits } from '../limits/limits';
import type { Quotas } from '../limits/quota';
import type { Cost } from '../prices/prices';
import type { Exchange } from '../record/exchange';
import type { Asker } from '../record/ledger';
import type { RecordedSession } from '../record/process-event';
import type { CallClock } from './call-clock';
import type { OwnTime } from '../record/own-time';

/** What a call has used, as far as the driver said. */
export interface Used extends Cost {
  usage: Usage | undefined;
  model: string | undefined;
  /** Milliseconds from the question until the first words of the answer; absent where there were none. */
  firstMs?: number;
  /** How the driver came to its program, where it keeps programs. */
  warm?: Warmth;
  /** Where the backend keeps the conversation of an agent process. */
  session?: RecordedSession;
}

/** The origin of a call, and the callbacks that report its progress. */
export interface Caller {
  id: string;
  asker: Asker;
  /** The route that the call goes through: the ledger names it. */
  route?: string;
  /**
   * The caller fires it, with a `CallAborted`, to end this call; the call itself fires it at the deadline, and after a
   * failure. A route puts a new one in its place for each further target, so it is always read from here.
   */
  abort: CallEnd;
  /** When the request arrived, in ms since the epoch: the timeout counts from here. */
  arrivedAt: number;
  /** Paused while the call waits for a slot, and while its driver works. */
  own?: OwnTime;
  /** What the call is a part of; absent where nothing is traced. */
  span?: WorkSpan;
  /** Its place in the flight recorder; absent for calls that no gateway has taken. */
  exchange?: Exchange;
  /** Waits for a slot however long the queue is; the timeout counts from the slot. */
  isPatient?: boolean;
  /** How many seconds the caller waits for an answer. The default time limit of a provider ends there. */
  patienceS?: number;
  /** The time limit in place of the provider's own, and what to do about a late answer. */
  limit?: { ms: number; hint: string };
  /** Called when the call has its slot. */
  onStart?(): void;
  /** The limits of the client that asks. A route counts its request once, whichever target is asked. */
  account?: { readonly limits: Limits; isCounted: boolean };
  /** Whether an attempt of the request is in the ledger already. */
  isBooked?: boolean;
  /** Called with what is left of the limits that the call is under. */
  onQuotas?(quotas: Quotas): void;
  /** The provider that is asked. The call sets it before the first event. */
  asked?: { name: string; driver: string };
  /** Called when a call fails that had reached its driver, with the usage until then. */
  onFailure?(used: Used): void;
  trace?(event: string, fields: Record<string, unknown>): void;
  /** Takes the lines that the driver logs about this call, besides the log of the provider. */
  log?: Logger;
  workspace?: Workspace;
  /** Where the conversation of an earlier process was kept, for the provider that it is a mark of. */
  session?: RecordedSession;
  /** How many agents are between a user and this call; absent: none. */
  depth?: number;
}

/** A call as its driver sees it. A class, because a logger of its own is needed only when the driver logs. */
export class DriverCall implements Call {
  readonly id: string;
  readonly deadline: number;
  readonly workspace?: Workspace;
  /** The session of the caller. The call sets it where it fits the request. */
  session?: Session;
  private readonly ending: CallEnd;

  constructor(
    private readonly caller: Caller,
    clock: CallClock,
    private readonly provider: { log: Logger; redactor: Redactor },
  ) {
    this.id = caller.id;
    this.ending = caller.abort;
    this.deadline = clock.deadline;
    if (caller.workspace) this.workspace = caller.workspace;
  }

  /** For the parts of core that a driver hands its call to. A copy of a call, which may have another signal, has none. */
  get end(): CallEnd {
    return this.ending;
  }

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  get scope(): string {
    return JSON.stringify(this.caller.asker);
  }

  get log(): Logger {
    const { id, caller, provider } = this;
    return makeLogger((level, message, fields) => {
      provider.log[level](message, { id, ...fields });
      caller.log?.[level](
        bounded(String(message), (text) => provider.redactor.redact(text)),
        fields,
      );
    });
  }

  trace(event: string, fields: Record<string, unknown>): void {
    if (this.caller.trace) this.caller.trace(event, fields);
    else this.log.debug(event, fields);
  }
}
