import type { AgentTable } from '../../agents/agent-table';
import type { Logger } from '../../contract/api';
import type { Redactor } from '../../contract/redact';
import type { DashboardAccess } from '../../dashboard/access';
import type { GatewayOptions } from '../../gateway/gateway-options';
import type { LimitBook } from '../../limits/limit-book';
import type { Paths } from '../../paths';
import type { EventStream } from '../../record/event-stream';
import type { Ledger } from '../../record/ledger';
import type { Listeners } from '../listen/listeners';
import type { Projects } from '../project/projects';
import type { LiveConfiguration } from '../reload/live-configuration';
import type { DaemonInfo } from './daemon-info';

/** What can be asked of a daemon. Control API and dashboard are made of it; each route takes the part that it needs. */
export interface Operations {
  readonly parts: { paths: Pick<Paths, 'state'>; log: Logger; redactor: Redactor };
  readonly startedAt: number;
  readonly stream: EventStream;
  readonly ledger: Ledger;
  readonly limits: LimitBook;
  readonly projects: Projects;
  readonly listeners: Listeners;
  readonly live: Pick<LiveConfiguration, 'reload' | 'watch'>;
  /** Whether another daemon takes the place of this one when it has ended. */
  readonly isRestarting: boolean;
  describe(): Promise<DaemonInfo>;
  stop(options: { restart: boolean }): void;
  /** The agent processes and their records, which are opened at their first use. */
  agents(): Promise<AgentTable>;
  /** Counts from now on, and gives what makes the page for Prometheus. */
  openMetrics(): Promise<NonNullable<GatewayOptions['metrics']>>;
  /** Opens the dashboard on every listener. */
  openDashboard(): Promise<{ access: DashboardAccess }>;
}
