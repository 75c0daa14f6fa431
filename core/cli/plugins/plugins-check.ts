import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CheckStatus } from '../../authoring/check/check-codes';
import { checkPlugin, type CheckReport } from '../../authoring/check/check-plugin';
import { UsageError } from '../../errors';
import { printable } from '../../log/printable';
import { productName } from '../../package';
import { isFolder } from '../../make-folder';
import { workingDirectory } from '../here';
import { EXIT } from '../exit-codes';
import { countEach, formatFinding } from '../terminal/finding-lines';
import { type Colour, printReport } from '../terminal/print';
import { untilInterrupted } from '../terminal/signals';

const COLOURS: Record<CheckStatus, Colour> = { failed: 'red', warning: 'yellow', skipped: 'dim', ok: 'green' };

export async function pluginsCheck(folder = '.', { json }: { json?: boolean }): Promise<void> {
  const directory = resolve(workingDirectory(), folder);
  if (!existsSync(directory))
    throw new UsageError(
      `there is no folder ${directory}`,
      `for the folders of plug-ins: ${productName} plugins list --json`,
    );
  if (!isFolder(directory)) throw new UsageError(`${directory} is a file`, 'give the folder that holds manifest.json');
  const report = await untilInterrupted(checkPlugin(directory));
  printReport(json, report, () => toText(report));
  if (!report.passed) process.exitCode = EXIT.failure;
}

function toText({ driver, directory, findings }: CheckReport): string {
  const lines = findings.map(({ code, status, message, hint: advice }) =>
    formatFinding({ status, colour: COLOURS[status], code, message, advice }),
  );
  const statuses = findings.map(({ status }) => status);
  const counts = Object.entries(countEach(COLOURS, statuses));
  const parts = counts.filter(([, count]) => count > 0).map(([status, count]) => `${count} ${status}`);
  return [...lines, `${driver ?? printable(directory)}: ${parts.join(', ')}`].join('\n');
}
