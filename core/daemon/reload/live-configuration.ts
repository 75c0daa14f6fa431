import { ConfigWatch } from './config-watch';
import type { ReloadReport } from './reload-report';
import type { ReloadParts, Reloads } from './reloads';

/** Reloads of a daemon: for a command, for a signal, and by themselves. Speed: the code loads with the first one. */
export class LiveConfiguration {
  private reloads: Promise<Reloads> | undefined;
  private watching: ConfigWatch | undefined;

  constructor(private readonly parts: ReloadParts) {}

  /** Rejects with a ConfigError that has all mistakes; nothing has changed then. */
  async reload(options?: { dryRun: boolean }): Promise<ReloadReport> {
    return (await this.open()).run(options);
  }

  /** The logs have the outcome. Never rejects. */
  async reloadAndLog(options = { quiet: false }): Promise<void> {
    await (await this.open()).runAndLog(options);
  }

  /** Reloads when a file has changed, until the returned function is called. */
  watch(): Promise<() => void> {
    this.watching ??= new ConfigWatch(
      () => this.parts.projects.list(),
      () => this.reloadAndLog({ quiet: true }),
    );
    return this.watching.start();
  }

  get isWatching(): boolean {
    return this.watching?.isOn ?? false;
  }

  close(): void {
    this.watching?.stop();
  }

  private open(): Promise<Reloads> {
    this.reloads ??= import('./reloads').then(({ Reloads }) => new Reloads(this.parts));
    return this.reloads;
  }
}
