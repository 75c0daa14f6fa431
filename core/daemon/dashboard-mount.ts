import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Mount } from '../gateway/gateway';
import type { Daemon } from './daemon';
import type { OpenedDashboard } from './open-dashboard';

/** The dashboard of a daemon, on every gateway of it. Nothing of it is loaded before somebody asks for it. */
export class DashboardMount implements Mount {
  readonly path = '/dashboard';
  private opened: OpenedDashboard | undefined;

  constructor(private readonly daemon: Daemon) {}

  serve(request: IncomingMessage, response: ServerResponse, closing: AbortSignal): void {
    void this.open().dashboard.serve(request, response, closing);
  }

  open(): OpenedDashboard {
    this.opened ??= (require('./open-dashboard') as typeof import('./open-dashboard')).openDashboard(this.daemon);
    return this.opened;
  }

  close(): void {
    this.opened?.close();
  }
}
