import { codeStamp, stampOf } from '../../plugins/code-print';
import { changedFiles } from '../project/fingerprint';
import type { OpenedProject } from '../project/opened-project';
import type { Project } from '../project/project';

type Watched = Pick<OpenedProject, 'project' | 'files'>;

/** Looking is a `stat` of each file. It works where file events do not: other file systems, editors that replace files. */
const LOOK_MS = 500;

/** Calls back when files of the open projects have changed, and have been the same for one look: editors write in steps. */
export class ConfigWatch {
  private timer: NodeJS.Timeout | undefined;
  private watchers = 0;
  private seen = '';
  private used = '';

  constructor(
    private readonly projects: () => Promise<readonly Watched[]>,
    private readonly changed: () => Promise<void>,
  ) {}

  /** Watches until the returned function is called, and as long as another one watches. No later change is missed. */
  async start(): Promise<() => void> {
    this.watchers += 1;
    if (this.watchers === 1) {
      const opened = await this.projects();
      this.seen = stampOfAll(opened);
      // If a file has changed since it was read, the first look reloads.
      this.used = opened.some(isStale) ? '' : this.seen;
      this.next();
    }
    return () => {
      this.watchers -= 1;
      if (this.watchers === 0) this.stop();
    };
  }

  get isOn(): boolean {
    return this.watchers > 0;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.watchers = 0;
  }

  private next(): void {
    if (this.watchers === 0) return;
    // A watcher that came during a look has begun the next one already.
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look().finally(() => this.next()), LOOK_MS).unref();
  }

  private async look(): Promise<void> {
    const stamp = stampOfAll(await this.projects());
    const isSteady = stamp === this.seen;
    this.seen = stamp;
    if (!isSteady || stamp === this.used) return;
    // A project may have other files after the reload: that is one more reload, without a difference.
    this.used = stamp;
    await this.changed();
  }
}

function isStale(opened: Watched): boolean {
  return Object.keys(changedFiles(opened)).length > 0;
}

function stampOfAll(opened: readonly Watched[]): string {
  return opened.map(({ project }) => stampOfProject(project)).join('\n');
}

function stampOfProject({ searched, priceTables, environment, plugins, paths }: Project): string {
  const tables = priceTables.flatMap(({ file }) => file ?? []);
  const files = [...searched, ...tables, ...environment.places, paths.userPlugins];
  const code = plugins.list().filter(({ source }) => source === 'path' || source === 'user');
  return [
    ...files.map((file) => `${file} ${stampOf(file)}`),
    ...code.flatMap(({ directory, codeDirectory }) => [...new Set([directory, codeDirectory])].map(codeStamp)),
  ].join('\n');
}
