import type { ProviderReport } from '../devices/describe-device';
import type { DirectChatLine } from '../devices/direct-chat';
import type { RequestEnd } from '../record/live-event';
import type { ProcessSummary } from '../record/process-summary';
import type { UsageGrouping, UsageTotals } from '../record/usage';
import type { UsageEntry } from '../record/ledger-entries';
import type { UsageSummary } from '../record/usage-summary';

// What the daemon tells the page of the dashboard. The page is built with this file, so it imports types only.

/** Where the dashboard is on a gateway. */
export const DASHBOARD_PATH = '/dashboard';
export const HOME = `${DASHBOARD_PATH}/`;
export const API_PATH = `${DASHBOARD_PATH}/api`;

/** `GET /dashboard/api/state`: everything that the overview shows, as it was after the event `lastEventId`. */
export interface DashboardState {
  daemon: DaemonRow;
  listeners: ListenerRow[];
  providers: ProviderRow[];
  /** Chats at the gateways, the newest first: all that run, and the latest ended ones. */
  requests: RequestRow[];
  /** The newest first: all that run, and the latest others. */
  processes: ProcessSummary[];
  /** How many processes have a record. */
  processCount: number;
  /** When the totals of today start from zero, in ms since the epoch: midnight on the clock of the daemon. */
  dayEndsAt: number;
  /** The clock of the daemon when it answered. */
  clock: { now: number; utcOffsetMs: number };
  lastEventId: number;
}

export interface DaemonRow {
  version: string;
  pid: number;
  /** Milliseconds since the epoch, as all times here. */
  startedAt: number;
}

export interface ListenerRow {
  port: number;
  /** The project root; null outside of one. */
  project: string | null;
  /** `gateway` answers chats; `dashboard`, opened by `drivebay dashboard`, serves only this page. */
  serves: 'gateway' | 'dashboard';
  /** Whether its clients must send a key. */
  needsKey: boolean;
}

export interface ProviderPlace {
  /** The root of the project that has the provider; null outside of one. */
  project: string | null;
  /** The configuration files with its fields, `~` for the home folder; none for a provider that Drivebay itself brings. */
  files: string[];
}

/** A provider of one project, and what happened to it there. */
export interface ProviderRow extends ProviderFacts, ProviderPlace {
  /** Durations of the latest checks, the oldest first; none for programs. */
  latency: { time: number; ms: number }[];
  /** The latest turns, the oldest first. */
  turns: TurnPoint[];
  /** Requests of the gateway and steps of agents together. */
  sinceStart: UsageTotals;
  today: UsageTotals;
  /** Of a route: how many requests and steps each provider has answered for it since the daemon started. */
  answers?: Record<string, number>;
}

/** The facts of `providers status --json`, and one more. */
export interface ProviderFacts extends Omit<ProviderReport, 'queue' | 'findings'> {
  /** The account that pays: the login of a program, the NAME of a variable, or `no key`; null: not known. */
  pays: string | null;
}

export interface TurnPoint {
  time: number;
  ms: number;
  /** Until the first words of the answer. */
  firstMs?: number;
  ok: boolean;
}

export interface RequestRow {
  /** As in logs and in `x-request-id`. */
  id: string;
  project: string | null;
  /** The client of the gateway, where clients are configured. */
  client?: string;
  provider: string;
  model: string | null;
  stream: boolean;
  startedAt: number;
  /** Absent while the request runs. */
  end?: Omit<RequestEnd, 'type' | 'provider' | 'route'> & {
    time: number;
    /** Of a route: the target that answered or was asked last. */
    target?: string;
  };
}

/** `GET /v1/usage` of the control API, and of the page. */
export interface UsageAnswer {
  by: UsageGrouping;
  usage: UsageSummary[];
}

/** `GET /dashboard/api/turns`: the requests and steps that have ended today, the latest first. */
export interface TurnsAnswer {
  turns: UsageEntry[];
  /** How many there are; `turns` has the latest of them. */
  count: number;
}

/** `POST /dashboard/api/try`: a question to a provider. The answer is lines of JSON. */
export interface TryRequest {
  project: string | null;
  provider: string;
  /** Absent: the default of the provider. */
  model?: string;
  prompt: string;
}

/** The last line is an `end` or an `error`. */
export type TryLine = DirectChatLine;

/** Every failure of the API. */
export interface DashboardFailure {
  error: { code: string; message: string; hint?: string };
}
