import type { StepUsage } from './usage';

/**
 * What happens to an agent process, one event at a time. The events of a process, in order, are its whole record: they
 * are written to disk as they are, streamed to whoever watches, and folded into what `ps` and the dashboard show.
 */
export type ProcessEvent = EventHead & ProcessEventBody;

export interface EventHead {
  /**
   * Counts the events of one process from 0, without gaps. Pieces of text that were joined in the record carry the
   * number of the last one: whoever has read the record goes on with the live events of higher numbers.
   */
  seq: number;
  /** Milliseconds since the epoch. */
  time: number;
}

export type ProcessEventBody =
  | ({ type: 'created' } & ProcessOrigin)
  /** Which provider, model and effort were chosen, and which tier decided each. */
  | ({ type: 'resolve' } & Resolution)
  /** A slot is free and the first step begins. */
  | { type: 'running' }
  /**
   * One driver call begins. `step` counts from 1. `call` is the id of the tool call that it serves: then another model
   * works for the process, and its answer is the result of that call.
   */
  | { type: 'step'; step: number; provider: string; model?: string; call?: string }
  /** A piece of the answer; pieces that follow each other closely are joined in the record. */
  | { type: 'text'; step: number; text: string }
  | { type: 'reasoning'; step: number; text: string }
  /** The model called a device. `id` is unique within the process. `refused` says why it was not run. */
  | { type: 'tool_call'; step: number; id: string; tool: string; device?: string; arguments: string; refused?: string }
  | { type: 'tool_result'; step: number; id: string; text: string; isError: boolean; ms: number }
  /** The agent behind a driver uses a tool of its own. */
  | { type: 'activity'; step: number; tool: string; detail?: string }
  /** One driver call ended. `finish` is `failed` where it gave no whole answer. */
  | {
      type: 'step_end';
      step: number;
      /** As in `step`; absent in old records. */
      provider?: string;
      ms: number;
      finish: string;
      usage?: StepUsage;
      costUsd?: number;
    }
  /** Whatever a driver reports of its own, for example the binary it resolved. */
  | { type: 'driver'; step: number; event: string; fields: Record<string, unknown> }
  /** A line that a driver logged about this call; what it says at level `debug` is in the daemon's log alone. */
  | { type: 'log'; step: number; level: 'info' | 'warn' | 'error'; message: string; fields?: Record<string, unknown> }
  /** Facts of a driver about itself, shown beside the process. */
  | { type: 'metadata'; provider: string; values: Record<string, string> }
  | { type: 'retry'; step: number; reason: string }
  /** The driver is that of the provider that goes on; absent in old records. */
  | { type: 'fallback'; from: string; to: string; reason: string; driver?: string; driverKind?: DriverKind }
  /** For the user, on stderr of the client that started the process. */
  | { type: 'notice'; level: 'info' | 'warn'; message: string }
  /** Always the last one. */
  | ({ type: 'exit' } & ProcessEnd);

export interface ProcessOrigin {
  pid: number;
  uuid: string;
  /** Which daemon runs it, so that the next one can tell whether it still does. */
  daemon: string;
  intent: string;
  /** Where the client was; the process works there. */
  workingDirectory: string;
  /** The project root; absent outside of a project. */
  project?: string;
  /** The name given by agent.yaml or the compose file. */
  name?: string;
  /** The compose run it belongs to. */
  compose?: string;
}

export interface Resolution {
  provider: string;
  driver: string;
  driverKind: DriverKind;
  model?: string;
  /** The reasoning effort asked for; absent leaves it to the provider's own default. */
  effort?: string;
  /** What decided each of the three, for example `--provider`, `agent.yaml`, `default_provider`, `built-in`. */
  decidedBy: { provider: string; model?: string; effort?: string };
}

export type DriverKind = 'cli' | 'http';

export type EndState = 'done' | 'failed' | 'killed';

export interface ProcessEnd {
  state: EndState;
  /** Why it ended, a stable word: `finished`, `error`, `killed`, `client_gone`, `step_limit`, `context_budget`, `daemon_died`, `shutdown`. */
  reason: string;
  /** What to tell the user; absent after a good end. */
  message?: string;
  hint?: string;
  /** The error code of the driver or of Drivebay. */
  code?: string;
}
