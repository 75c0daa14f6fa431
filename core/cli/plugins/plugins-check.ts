import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkPlugin, type CheckReport } from '../../authoring/check/check-plugin';
import type { CheckStatus } from '../../authoring/check/check-codes';
import { UsageError } from '../../errors';
import { printable } from '../../log/printable';
import { EXIT } from '../exit-codes';
import { type Colour, paint, printAnswer, printJson } from '../terminal/print';
import { untilInterrupted } from '../terminal/until-interrupted';

const COLOURS: Record<CheckStatus, Colour> = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'dim' };

/** `plugins check`: one line per check, and what to do about each that is not in order. */
export async function pluginsCheck(folder: string, { json = false }: { json?: boolean }): Promise<void> {
  const directory = resolve(folder);
  const found = statSync(directory, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`there is no folder ${directory}`);
  if (!found.isDirectory()) throw new UsageError(`${directory} is a file`, 'give the folder that holds manifest.json');
  const report = await untilInterrupted(checkPlugin(directory));
  if (json) printJson(report);
  else printAnswer(toText(report));
  if (!report.passed) process.exitCode = EXIT.failure;
}

function toText({ driver, directory, findings }: CheckReport): string {
  const lines = findings.flatMap(({ code, status, message, hint }) => [
    `${paint(COLOURS[status], status.padEnd(7))}  ${code}  ${printable(message)}`,
    ...(hint === undefined ? [] : [`              ${printable(hint)}`]),
  ]);
  const counts = (['failed', 'warning', 'skipped', 'ok'] as const)
    .map((status) => [findings.filter((finding) => finding.status === status).length, status] as const)
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count} ${status}`);
  return [...lines, `${driver ?? printable(directory)}: ${counts.join(', ')}`].join('\n');
}
