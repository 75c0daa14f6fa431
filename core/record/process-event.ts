import type { DriverErrorCode, FinishReason, Warmth } from '../contract/api';
import type { StepUsage } from './usage';

/**
 * One event of an agent process. The events of a process, in order, are its whole record: they are written to disk,
 * streamed to clients and the dashboard, and folded into the view of the process.
 */
export type ProcessEvent = ProcessEventBody & {
  /**
   * Counts the events of one process from 0, without gaps. Pieces of text that were joined in the record carry the
   * number of the last one, so a reader of the record goes on with the live events of higher numbers.
   */
  seq: number;
  /** Milliseconds since the epoch. */
  time: number;
};

export type ProcessEventBody =
  | ({ type: 'created' } & ProcessOrigin)
  | ({ type: 'resolve' } & Resolution)
  /** A slot is free and the first step begins. */
  | { type: 'running' }
  /**
   * One driver call begins. `step` counts from 1. `call` is the id of the tool call that the step serves: then another
   * model works for the process, and its answer is the result of that call and not part of the text.
   */
  | { type: 'step'; step: number; provider: string; model?: string; call?: string }
  /** A piece of the answer; pieces that follow each other closely are joined in the record. */
  | { type: 'text'; step: number; text: string }
  | { type: 'reasoning'; step: number; text: string }
  /** The model called a device. `id` is unique within the process. `refused` tells the model why the call did not run. */
  | { type: 'tool_call'; step: number; id: string; tool: string; device?: string; arguments: string; refused?: string }
  | { type: 'tool_result'; step: number; id: string; text: string; isError: boolean; ms: number }
  /** The agent behind a driver uses a tool of its own. */
  | { type: 'activity'; step: number; tool: string; detail?: string }
  | {
      type: 'step_end';
      step: number;
      /** As in `step`; absent in old records. */
      provider?: string;
      /** The route that the provider was asked through. */
      route?: string;
      ms: number;
      /** Until the first words of the answer; absent where there were none, and in old records. */
      firstMs?: number;
      finish: StepFinish;
      usage?: StepUsage;
      costUsd?: number;
      /** What it would cost without the subscription that pays. */
      nominalUsd?: number;
      /** How the driver came to its program, where it keeps programs. */
      warm?: Warmth;
      /** Where the backend keeps the conversation, for a process that goes on with this one. */
      session?: RecordedSession;
    }
  /** A report of the driver, for example the binary that it resolved. */
  | { type: 'driver'; step: number; event: string; fields: Record<string, unknown> }
  /** A line that a driver logged about this call. Lines of level `debug` are in the daemon's log alone. */
  | { type: 'log'; step: number; level: 'info' | 'warn' | 'error'; message: string; fields?: Record<string, unknown> }
  /** Facts that a driver tells about itself, shown beside the process. */
  | { type: 'metadata'; provider: string; values: Record<string, string> }
  | { type: 'retry'; step: number; reason: string }
  /** `driver` is the driver of `to`; absent in old records. */
  | {
      type: 'fallback';
      from: string;
      to: string;
      reason: string;
      driver?: string;
      driverAlias?: string;
      driverKind?: DeviceKind;
    }
  /** For the user: printed on stderr by the client that started the process. */
  | { type: 'notice'; level: 'info' | 'warn'; message: string }
  /** Always the last event. */
  | ({ type: 'exit' } & ProcessEnd);

export type TextEvent = Extract<ProcessEvent, { type: 'text' | 'reasoning' }>;

/** Whether an event is a piece of the model's text, as most events are. */
export function isText<Event extends ProcessEventBody>(event: Event): event is Event & { type: TextEvent['type'] } {
  return event.type === 'text' || event.type === 'reasoning';
}

export interface RecordedSession {
  /** Of what has to be the same for the next call: provider, model, folder, system messages. */
  mark: string;
  /** The driver's own. */
  state: Record<string, unknown>;
}

export interface ProcessOrigin {
  pid: number;
  uuid: string;
  /** Names the daemon that runs it, so that the next daemon can tell whether that one still runs. */
  daemon: string;
  intent: string;
  /** The working directory of the client, where the process works, too. */
  workingDirectory: string;
  /** The project root; absent outside of a project. */
  project?: string;
  /** The name given by agent.yaml or the compose file. */
  name?: string;
  compose?: string;
  /** The client of the gateway that it works for; absent: the owner. */
  client?: string;
  /** The pid of the process whose conversation it continues. */
  continues?: number;
  /** As its client named them; a process that continues it takes them again. */
  agentFile?: string;
  skills?: string[];
}

export interface Resolution {
  provider: string;
  driver: string;
  /** The name of the driver that people read; absent in old records. */
  driverAlias?: string;
  driverKind: DeviceKind;
  model?: string;
  /** The reasoning effort asked for; absent leaves it to the provider's own default. */
  effort?: string;
  /** The source of each choice, for example `--provider`, `agent.yaml`, `default_provider`, `built-in`. */
  decidedBy: { provider: string; model?: string; effort?: string };
}

export type DriverKind = 'cli' | 'http';
/** What a process works with: a provider of such a driver, or a route. */
export type DeviceKind = DriverKind | 'route';

/** `failed`: the call gave no whole answer. */
export type StepFinish = FinishReason | 'failed';

export type EndState = 'done' | 'failed' | 'killed';

export const END_REASONS = [
  'finished',
  'error',
  'killed',
  'client_gone',
  'step_limit',
  'context_budget',
  'daemon_died',
  'shutdown',
] as const;
type EndReason = (typeof END_REASONS)[number];

/** The codes behind the reason `error` that no driver gives. */
export const OWN_END_CODES = ['content_filter', 'no_text', 'internal_error'] as const;
export type EndCode = DriverErrorCode | (typeof OWN_END_CODES)[number] | 'step_limit' | 'context_budget';

export interface ProcessEnd {
  state: EndState;
  reason: EndReason;
  /** For the user; absent after a good end. */
  message?: string;
  hint?: string;
  code?: EndCode;
}
