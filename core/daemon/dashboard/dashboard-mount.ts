import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../contract/api';
import { DASHBOARD_PATH } from '../../dashboard/protocol';
import { messageOf } from '../../errors';
import type { Mount } from '../../gateway/gateway-options';
import type { OpenDashboard } from './open-dashboard';

/** The dashboard of a daemon, on each of its listeners. `make` loads it at its first use. */
export class DashboardMount implements Mount {
  readonly path = DASHBOARD_PATH;
  private opened: Promise<OpenDashboard> | undefined;

  constructor(
    private readonly make: () => Promise<OpenDashboard>,
    private readonly log: Logger,
  ) {}

  serve(request: IncomingMessage, response: ServerResponse, closing: AbortSignal): void {
    this.open().then(
      ({ dashboard }) => dashboard.serve(request, response, closing),
      (error: unknown) => {
        this.log.error(`the dashboard cannot be opened: ${messageOf(error)}`);
        response.writeHead(500).end();
      },
    );
  }

  open(): Promise<OpenDashboard> {
    this.opened ??= this.make().catch((error: unknown) => {
      // The next request tries again.
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  async close(): Promise<void> {
    await this.opened?.then(
      (opened) => opened.close(),
      () => undefined,
    );
  }
}
