import type { IncomingMessage, ServerResponse } from 'node:http';
import { DASHBOARD_PATH } from '../../dashboard/paths';
import type { Mount } from '../../gateway/gateway-options';
import type { Daemon } from '../daemon';
import type { Listener } from '../listener';
import type { OpenDashboard } from './open-dashboard';
import type { OpenedProject } from '../project/opened-project';

/** The dashboard of a daemon, on every gateway of it. Nothing of it is loaded before somebody asks for it. */
export class DashboardMount implements Mount {
  readonly path = DASHBOARD_PATH;
  private opened: OpenDashboard | undefined;
  private opening: Promise<unknown> = Promise.resolve();

  constructor(private readonly daemon: Daemon) {}

  serve(request: IncomingMessage, response: ServerResponse, closing: AbortSignal): void {
    void this.open().dashboard.serve(request, response, closing);
  }

  open(): OpenDashboard {
    this.opened ??= (require('./open-dashboard') as typeof import('./open-dashboard')).openDashboard(this.daemon);
    return this.opened;
  }

  /** Where a browser gets to it: a listener that is there, that of the project before others, or a new one. */
  listener(opened: OpenedProject, port: number | undefined): Promise<Listener> {
    // One after the other: two commands at once shall share one listener.
    const next = this.opening.then(() => this.findListener(opened, port));
    this.opening = next.catch(() => undefined);
    return next;
  }

  close(): void {
    this.opened?.close();
  }

  private async findListener(opened: OpenedProject, port: number | undefined): Promise<Listener> {
    const { listeners, parts, stream } = this.daemon;
    const open = listeners.list();
    const found =
      port === undefined
        ? (open.find((each) => each.opened.project.root === opened.project.root) ?? open[0])
        : listeners.find(port);
    if (found) return found;
    // For those who look: an open gateway is nothing that somebody wants who asks for a page.
    const access = { allowHosts: [], allowOrigins: [] };
    const options = { port: port ?? 0, access, log: parts.log, stream, mount: this, serves: 'dashboard' as const };
    const listener = await listeners.add(opened, options);
    // It stays until the daemon ends: the page outlives the command that opened it.
    void listener.untilClosing().then(() => listeners.close(listener));
    return listener;
  }
}
