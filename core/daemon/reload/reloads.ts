import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from '../../contract/api';
import { codeOf, ConfigError, formatProblem, hintOf, messageOf, type Problem } from '../../errors';
import { findProjectRoot } from '../../paths';
import type { EventStream } from '../../record/event-stream';
import { checkDevices } from '../listen/check-devices';
import type { Listener } from '../listen/listener';
import { demandKey, type Listeners } from '../listen/listeners';
import type { OpenedProject, Prepared } from '../project/opened-project';
import type { Projects } from '../project/projects';
import type { SharedLimits } from '../shared/shared-limits';
import { compareProjects } from './compare-projects';
import { loadPlugins } from './load-plugins';
import { reloadLines } from './reload-lines';
import { distinct, hasChanges, type ReloadReport } from './reload-report';

export interface ReloadParts {
  projects: Projects;
  listeners: Listeners;
  shared: SharedLimits;
  stream: EventStream;
  log: Logger;
}

interface Step {
  opened: OpenedProject;
  next: Prepared;
}

/** Reads the configuration of all open projects again: first all of it is checked, then it is used at once. */
export class Reloads {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: ReloadParts) {}

  /** Rejects with a ConfigError that has all mistakes; nothing has changed then. One reload runs at a time. */
  run({ dryRun = false } = {}): Promise<ReloadReport> {
    const next = this.last.then(() => this.reload(dryRun));
    this.last = next.catch(() => undefined);
    return next;
  }

  /** For a signal or a watch, where no command waits: the logs have the outcome. A watch is quiet where nothing has changed. */
  async runAndLog({ quiet }: { quiet: boolean }): Promise<void> {
    try {
      const report = await this.run();
      for (const problem of [...report.warnings, ...report.restart]) this.tell('warn', formatProblem(problem));
      if (!quiet && !hasChanges(report)) this.tell('info', 'the configuration was read again: nothing has changed');
    } catch (error) {
      this.tell('error', `the configuration was not read again, because it has mistakes: ${messageOf(error)}`);
    }
  }

  /** Each terminal with a gateway gets the line, and the log of the daemon. */
  private tell(level: 'info' | 'warn' | 'error', line: string): void {
    const { log, listeners } = this.parts;
    for (const each of new Set([log, ...listeners.list().map((listener) => listener.log)])) each[level](line);
  }

  private async reload(dryRun: boolean): Promise<ReloadReport> {
    const steps: Step[] = [];
    try {
      const { problems, warnings } = await this.prepare(steps);
      if (problems.length > 0) throw new ConfigError(distinct(problems), distinct(warnings));
      const report: ReloadReport = {
        dryRun,
        projects: steps.map(({ opened, next }) => compareProjects(opened.project, next.project)),
        warnings: distinct([...steps.flatMap(({ next }) => next.project.takeNotices({ isDry: dryRun })), ...warnings]),
        restart: distinct(steps.flatMap((step) => this.stale(step))),
      };
      if (!dryRun) this.take(steps, report);
      return report;
    } finally {
      // The projects hold the devices that they took; the others are not needed.
      for (const { opened, next } of steps) void opened.discard(next);
    }
  }

  /** What the files say now, and a reload cannot take over. */
  private stale({ opened, next: { project } }: Step): Problem[] {
    const { listeners, shared } = this.parts;
    const own = listeners.list().filter((listener) => listener.opened === opened);
    return [
      ...shared.stale(project.sharedState),
      ...own.flatMap((listener) => [...listener.stale(project), ...staleFolder(listener)]),
    ];
  }

  /** Makes what the files describe now, beside what runs. */
  private async prepare(steps: Step[]): Promise<{ problems: Problem[]; warnings: Problem[] }> {
    const problems: Problem[] = [];
    const warnings: Problem[] = [];
    for (const opened of await this.parts.projects.list()) {
      // Reading takes some milliseconds for each project, and requests go on meanwhile.
      await turn();
      try {
        const next = opened.prepare();
        steps.push({ opened, next });
        // What no file says is of the terminal that opened the project, which has been told.
        const told = new Set(opened.project.warnings.map(({ message }) => message));
        warnings.push(...next.project.warnings.filter(({ place, message }) => place || !told.has(message)));
        this.parts.listeners.list().forEach((listener) => {
          if (listener.opened === opened && !listener.needsKey && !next.project.clients) demandKey(next.project, false);
        });
      } catch (error) {
        if (error instanceof ConfigError) problems.push(...error.problems);
        else if (codeOf(error) === 'usage') problems.push({ message: messageOf(error), hint: hintOf(error) });
        else throw error;
      }
    }
    // The code of plug-ins runs only for a configuration that has no mistake.
    if (problems.length > 0) return { problems, warnings };
    const found = await Promise.all(steps.map(({ opened, next }) => loadPlugins(opened.project, next.project)));
    return { problems: found.flat(), warnings };
  }

  private take(steps: readonly Step[], report: ReloadReport): void {
    const { projects, listeners, stream } = this.parts;
    for (const [index, { opened, next }] of steps.entries()) {
      const before = new Set(opened.project.devices.llms());
      projects.take(opened, next);
      for (const { name, what } of report.projects[index]!.providers) {
        // Another key may be another account, which has limits of its own.
        if (what.some((each) => each.startsWith('the value of'))) opened.project.devices.llm(name)?.wake();
      }
      const unknown = opened.project.devices
        .llms()
        .filter((device) => !before.has(device) || device.health.state === 'offline');
      const own = listeners.list().filter((listener) => listener.opened === opened);
      if (own.length > 0) void checkDevices(unknown, opened.log);
      if (!report.projects[index]!.settings.includes('clients')) continue;
      // This gives the new slots to requests that wait for one.
      for (const client of opened.project.clients ?? []) opened.project.limits?.client(client);
      for (const listener of own) listener.warnOfKeys();
    }
    listeners.unserved.clear();
    stream.publish({ kind: 'daemon', event: { type: 'changed', what: 'projects' } });
    if (!hasChanges(report)) return;
    for (const text of reloadLines(report)) {
      this.tell('info', `the configuration was read again: ${text.replaceAll(/\n\s*/g, '; ').replaceAll(/ +/g, ' ')}`);
    }
  }
}

/** The folder of a gateway may become part of another project. The gateway stays with the project that it was opened for. */
function staleFolder({ port, opened, workingDirectory }: Listener): Problem[] {
  const { projectRoot } = opened.project.paths;
  const now = findProjectRoot(workingDirectory);
  if (!opened.ref.useProject || now === projectRoot) return [];
  const wordsOf = (root: string | undefined) => (root === undefined ? 'outside of projects' : `in project ${root}`);
  const message = `the gateway on port ${port} stays ${wordsOf(projectRoot)}, and ${workingDirectory} is now ${wordsOf(now)}`;
  return [{ message, hint: 'for a gateway there, end its `drivebay serve` with Ctrl-C and start it again' }];
}
