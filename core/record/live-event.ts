import type { KeptState, Warmth } from '../contract/api';
import type { ProcessEvent } from './process-event';
import type { StepUsage } from './usage';

export type LiveEvent = LiveEventBody & {
  /** Grows by one with each event of a daemon, and is higher than any id of a daemon that ran before. */
  id: number;
  /** Milliseconds since the epoch. */
  time: number;
};

/** `project` is the root of the project that the event belongs to; absent outside of a project. */
export type LiveEventBody = { project?: string } & (
  | { kind: 'process'; pid: number; uuid: string; event: ProcessEvent }
  | { kind: 'request'; request: string; event: RequestEvent }
  | { kind: 'provider'; provider: string; event: ProviderEvent }
  | { kind: 'daemon'; event: DaemonEvent }
);

/** Why a client was turned away: the limit that its request ran into, or its list of what it may ask for. */
export type TurnedAway = 'requests' | 'tokens' | 'budget' | 'concurrency' | 'allow';

/** An event of a request at the gateway. `request` above is its id, as in logs and in `x-request-id`. */
export type RequestEvent =
  | {
      type: 'start';
      dialect?: string;
      /** The client of the gateway that sent it, as its entry names it. */
      client?: string;
      provider: string;
      model?: string;
      stream: boolean;
    }
  /** It had found no provider. */
  | {
      type: 'refused';
      dialect: string;
      client?: string;
      /** Why its client was turned away. */
      turnedAway?: TurnedAway;
      status: number;
      ms: number;
      overheadMs: number;
    }
  | {
      type: 'end';
      /** Absent for a chat that came through no gateway. */
      dialect?: string;
      client?: string;
      /** As the driver named it, else as it was asked for. */
      model?: string;
      /** Of a route: the target that answered, or the last one that did not. */
      provider: string;
      /** The route that the request named, and the targets that did not answer. */
      route?: string;
      attempts?: { provider: string; kind: string; message: string }[];
      /** That the client got; 499: the client left before. */
      status: number;
      ms: number;
      /** Our own part of it, at a gateway: without the time of the client, the queue and the driver. */
      overheadMs?: number;
      /** Until the first words of the answer; absent where there were none. */
      firstMs?: number;
      usage?: StepUsage;
      costUsd?: number;
      /** What it would cost without the subscription that pays. */
      nominalUsd?: number;
      /** How the driver came to its program, where it keeps programs. */
      warm?: Warmth;
      /** Why its client was turned away: no provider was asked then. */
      turnedAway?: TurnedAway;
      /** Whether it has reached a backend: then it is in the ledger. A count of tokens never is. */
      booked?: boolean;
      error?: string;
    };

export type RequestEnd = Extract<RequestEvent, { type: 'end' }>;

export type HealthState = 'healthy' | 'offline' | 'unchecked';

export type ProviderEvent = HealthEvent | RestsEvent | KeptEvent;

/** The rests of a provider have changed: these are active. */
interface RestsEvent {
  type: 'rests';
  rests: RestFacts[];
}

/** What the driver keeps has changed, as far as somebody looks: this is all of it. */
interface KeptEvent {
  type: 'kept';
  kept: KeptReport[];
}

/** Something that a driver keeps for further calls. Several conversations may be in one program. */
export interface KeptReport {
  /** `spare` for any call, `conversation` for its next turn, `waiting` for a client's results. */
  state: KeptState;
  /** Milliseconds since the epoch. */
  since: number;
  pid: number | null;
  /** The physical memory of the whole program; null: not known. */
  memoryBytes: number | null;
}

/** A time in which routes ask a provider, or one model of it, last. */
export interface RestFacts {
  model?: string;
  /** The kind of the failure, as in the errors of the gateway, and its message. */
  kind: string;
  message: string;
  /** Milliseconds since the epoch. */
  since: number;
  until: number;
}

/** A change of a provider's health, or the result of a check. */
export interface HealthEvent {
  type: 'health';
  state: HealthState;
  /** The duration of the latest check that succeeded. */
  latencyMs?: number;
  /** Whether a check found it, and not a turn. */
  checked?: boolean;
  /** Whether the check that found the provider offline ran into its time limit. */
  timedOut?: boolean;
  /** Why the provider is offline, and what the user can do about it. */
  reason?: string;
  hint?: string;
}

/** A gateway was opened or closed, a project was opened, or a driver told new facts about itself: load them anew. */
interface DaemonEvent {
  type: 'changed';
  what: 'listeners' | 'projects' | 'metadata';
}
