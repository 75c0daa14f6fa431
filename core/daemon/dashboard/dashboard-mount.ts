import type { IncomingMessage, ServerResponse } from 'node:http';
import { DASHBOARD_PATH } from '../../dashboard/protocol';
import { failureOf, sendFailure } from '../../dashboard/send-failure';
import { messageOf } from '../../errors';
import type { Mount } from '../../gateway/gateway-options';
import type { ControlApi } from '../control/control-api';
import type { Operations } from '../control/operations';
import type { OpenDashboard } from './open-dashboard';

/** The dashboard of a daemon, on each of its listeners. It is loaded at its first use. */
export class DashboardMount implements Mount {
  readonly path = DASHBOARD_PATH;
  readonly isHome = true;
  private opened: Promise<OpenDashboard> | undefined;

  constructor(
    private readonly daemon: Operations,
    private readonly control: () => Promise<ControlApi>,
    private readonly socketOf: () => string | undefined,
  ) {}

  serve(request: IncomingMessage, response: ServerResponse, closing: AbortSignal): void {
    this.open().then(
      ({ dashboard }) => dashboard.serve(request, response, closing),
      (error: unknown) => {
        this.daemon.parts.log.error(`the dashboard cannot be opened: ${messageOf(error)}`);
        sendFailure(response, failureOf(error), request);
      },
    );
  }

  open(): Promise<OpenDashboard> {
    this.opened ??= this.load().catch((error: unknown) => {
      // The next request tries again.
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  async close(): Promise<void> {
    const opened = await this.opened?.catch(() => undefined);
    opened?.close();
  }

  private async load(): Promise<OpenDashboard> {
    const { openDashboard } = await import('./open-dashboard');
    return openDashboard(this.daemon, await this.control(), this.socketOf());
  }
}
