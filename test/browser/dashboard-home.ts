import { DaemonHome } from '../setup/daemon-home';
import { openPage, type Watched } from './open-browser';

/** A home whose daemon shows its dashboard to a browser. */
export class DashboardHome extends DaemonHome {
  /** An address that lets one browser in. */
  async link(): Promise<URL> {
    const { stdout, stderr } = await this.run('dashboard', '--no-open');
    const found = /http:\/\/127\.0\.0\.1:\d+\/dashboard\/\S*/.exec(stdout);
    if (!found) throw new Error(`no link: ${stdout}${stderr}`);
    return new URL(found[0]);
  }

  /** A page that was let in, at a place of the dashboard. */
  async openDashboard(
    place = '#/',
    options: Parameters<typeof openPage>[0] & { origin?: string } = {},
  ): Promise<Watched> {
    const { origin, ...rest } = options;
    const link = await this.link();
    const watched = await openPage(rest);
    await watched.page.goto(origin === undefined ? link.href : `${origin}${link.pathname}${link.search}`);
    await watched.page.goto(new URL(`/dashboard/${place}`, watched.page.url()).href);
    await watched.page.getByRole('status').getByText('live').waitFor();
    return watched;
  }

  /** Starts a process, which goes on by itself, and resolves with its pid. */
  async spawn(intent: string, more: Record<string, unknown> = {}): Promise<number> {
    const project = { workingDirectory: this.directory };
    const { status, text } = await this.call('POST', '/v1/processes', {
      ...{ intent, workingDirectory: this.directory, project },
      ...more,
    });
    if (status !== 201) throw new Error(text);
    return (JSON.parse(text) as { pid: number }).pid;
  }

  /** Resolves when a process has ended. */
  async ended(pid: number): Promise<void> {
    await this.call('GET', `/v1/processes/${pid}/wait`);
  }
}
