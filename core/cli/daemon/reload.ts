import { hasChanges, reloadLines, type ReloadReport, reloadReportSchema } from '../../daemon/reload/reload-report';
import { formatProblem, HintedError } from '../../errors';
import { pathsHere } from '../here';
import { printNote, printReport, printWarnings } from '../terminal/print';
import { bringKeys, projectRef } from './project-at-daemon';
import { runningDaemon } from './running-daemon';

interface ReloadOptions {
  dryRun?: boolean;
  json?: boolean;
}

/** `reload`: the daemon, or the `serve` that runs, reads the configuration again. Nothing changes where it has mistakes. */
export async function reload({ dryRun = false, json }: ReloadOptions): Promise<void> {
  const daemon = await runningDaemon();
  if (!daemon) {
    const hint = 'each command reads the configuration when it starts; to serve it, run: drivebay serve';
    throw new HintedError('no daemon is running, so there is nothing to reload', hint);
  }
  const report = await daemon.client.call('POST', '/v1/reload', reloadReportSchema, { query: { dryRun } });
  const { projectRoot = null } = pathsHere();
  // A provider that is new may have its key in this terminal only.
  if (!dryRun && report.projects.some(({ root }) => root === projectRoot)) {
    await bringKeys(daemon, projectRef({ project: true }));
  }
  printWarnings(report.warnings);
  for (const problem of report.restart) printNote(`not reloaded: ${formatProblem(problem)}`);
  printReport(json, report, () => [...reloadLines(report), outcome(report)].join('\n'));
}

function outcome(report: ReloadReport): string {
  if (report.projects.length === 0) return 'no project is open yet; each is read at its first use';
  if (!hasChanges(report)) return 'nothing has changed';
  return report.dryRun ? 'dry run: nothing was reloaded; to do it: drivebay reload' : 'reloaded';
}
