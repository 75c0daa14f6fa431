import { howToRestart, HOW_TO_RELOAD, versionNotice } from '../../daemon/client/agreement';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { changedWords, reloadLines } from '../../daemon/reload/reload-lines';
import { hasChanges, type ReloadReport } from '../../daemon/reload/reload-report';
import { ConfigError, formatProblem, HintedError, hintOf, messageOf, type Problem } from '../../errors';
import { pathsHere } from '../here';
import { printNote, printReport, printWarnings } from '../terminal/print';
import { checkProjects } from './check-projects';
import { bringKeys, projectRef } from './project-at-daemon';
import { findDaemonHere, runningDaemon } from './running-daemon';

/** `reload`: the daemon, or the `serve` that runs, reads the configuration again. Nothing changes where it has mistakes. */
export async function reload({ dryRun = false, json }: { dryRun?: boolean; json?: boolean }): Promise<void> {
  const daemon = await runningDaemon();
  if (!daemon) {
    const hint = 'each command reads the configuration when it starts; to serve it, run: drivebay serve';
    throw new HintedError('no daemon is running, so there is nothing to reload', hint);
  }
  const report = await reloadAt(daemon, dryRun);
  // Then the daemon has read no file, and would say nothing of a mistake.
  if (report.projects.length === 0) await checkProjects(daemon.info);
  sayProblems(report);
  printReport(json, report, () => [...reloadLines(report), outcome(report)].join('\n'));
}

/** How long a command that has written its file waits for the daemon. */
const LIMIT_MS = 30_000;

/**
 * After a command has written a file of the configuration: a daemon that runs reads it. Never throws, because the file is
 * written: where the daemon cannot take it, a line says what to run. `said`: warnings that the user has seen.
 */
export async function reloadRunning(said: readonly Problem[] = []): Promise<void> {
  let daemon: FoundDaemon | undefined;
  try {
    daemon = await findDaemonHere();
    if (!daemon) return;
    const notice = versionNotice(daemon.info);
    if (notice !== undefined) return sayOld(daemon, notice);
    const report = await reloadAt(daemon, false, LIMIT_MS);
    sayProblems(report, said);
    printNote(`the daemon (pid ${daemon.info.pid}) has read it: ${changedWords(report)}`);
  } catch (error) {
    sayOld(daemon, reasonOf(error, daemon));
  }
}

function sayOld(daemon: FoundDaemon | undefined, why: string): void {
  const which = daemon ? `the daemon (pid ${daemon.info.pid})` : 'a daemon that runs';
  printNote(`${which} keeps the old configuration: ${why}`);
}

function reasonOf(error: unknown, daemon: FoundDaemon | undefined): string {
  if (error instanceof ConfigError) {
    const [first, ...others] = error.problems;
    const more = others.length > 0 ? ` (and ${others.length} more)` : '';
    return `${formatProblem(first!)}${more}; fix that, then ${HOW_TO_RELOAD}`;
  }
  const hint = hintOf(error) ?? (daemon ? howToRestart(daemon.info) : 'run: drivebay daemon restart');
  return `${messageOf(error)}; ${hint}`;
}

async function reloadAt(daemon: FoundDaemon, dryRun: boolean, timeoutMs?: number): Promise<ReloadReport> {
  const report = await daemon.client.call<ReloadReport>('POST', '/v1/reload', { query: { dryRun }, timeoutMs });
  const { projectRoot = null } = pathsHere();
  // A provider that is new may have its key in this terminal only.
  if (!dryRun && report.projects.some(({ root }) => root === projectRoot)) {
    await bringKeys(daemon, projectRef({ project: true }));
  }
  return report;
}

function sayProblems({ warnings, restart }: ReloadReport, said: readonly Problem[] = []): void {
  const known = new Set(said.map(formatProblem));
  printWarnings(warnings.filter((warning) => !known.has(formatProblem(warning))));
  for (const problem of restart) printNote(`not reloaded: ${formatProblem(problem)}`);
}

function outcome(report: ReloadReport): string {
  if (report.projects.length === 0) return 'no project is open yet; each is read at its first use';
  if (!hasChanges(report)) return 'nothing has changed';
  return report.dryRun ? 'dry run: nothing was reloaded; to do it: drivebay reload' : 'reloaded';
}
