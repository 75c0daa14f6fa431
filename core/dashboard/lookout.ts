import type { DashboardHost } from './dashboard-host';

/** Each provider decides whether a look is due. */
const LOOK_MS = 15_000;

/** Has the providers looked at while at least one page is open, and only then. */
export class Lookout {
  private watchers = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly host: DashboardHost) {}

  /** Counts a page as open until the signal fires. */
  watch(gone: AbortSignal): void {
    if (gone.aborted) return;
    this.watchers += 1;
    if (this.watchers === 1) {
      this.timer = setInterval(() => void this.look(), LOOK_MS).unref();
      void this.look();
    }
    gone.addEventListener('abort', () => {
      this.watchers -= 1;
      if (this.watchers === 0) clearInterval(this.timer);
    });
  }

  private async look(): Promise<void> {
    const projects = await this.host.projects();
    await Promise.all(projects.flatMap(({ providers }) => providers.map((provider) => provider.look())));
  }
}
