import { formatTime } from '../../contract/wall-clock';
import { UsageError } from '../../errors';
import { printable } from '../../log/printable';
import { addTotals, NO_TURNS, type UsageGrouping, type UsageTotals } from '../../record/usage';
import { LATEST } from '../../record/ledger-entries';
import { summarizeUsage, type UsageQuery, type UsageSummary } from '../../record/usage-summary';
import { ledgerDirectory, ledgerFile } from '../../record/ledger-files';
import { runningDaemon } from '../daemon/running-daemon';
import { sayUnkept } from '../folder-fault';
import { pathsHere } from '../here';
import { formatTable, printNote, printReport } from '../terminal/print';
import type { GivenTime } from './parse-date';
import { formatCost, formatCount } from '../terminal/format';

interface UsageOptions {
  by: UsageGrouping;
  from?: GivenTime;
  to?: GivenTime;
  json?: boolean;
  csv?: boolean;
  reprice?: boolean;
  write?: boolean;
}

/** The head of each grouping, and the name of the turns that have no key. */
const GROUPS: Record<UsageGrouping, { head: string; none: string }> = {
  client: { head: 'Client', none: '(owner)' },
  provider: { head: 'Provider', none: '' },
  model: { head: 'Model', none: '(no model)' },
  project: { head: 'Project', none: '(no project)' },
  route: { head: 'Route', none: '(no route)' },
  day: { head: 'Day', none: '' },
};

/** The columns of CSV besides the group. */
const COLUMNS = {
  turns: 'turns',
  failed: 'failed',
  input_tokens: 'inputTokens',
  cached_input_tokens: 'cachedInputTokens',
  cache_write_input_tokens: 'cacheWriteInputTokens',
  output_tokens: 'outputTokens',
  cost_usd: 'costUsd',
  nominal_usd: 'nominalUsd',
} as const satisfies Record<string, keyof UsageTotals>;

/** `usage`: what all turns used, of the gateway and of agents. Needs no daemon. */
export async function usage({ by, from = '', to = '', json, csv, ...how }: UsageOptions): Promise<void> {
  if (from !== '' && to !== '' && from >= to) throw emptyRange(from, to);
  const range = { from: from === '' ? 0 : from, to: to === '' ? LATEST : to };
  if (how.write && !how.reprice)
    throw new UsageError('--write goes with --reprice', 'add --reprice, or leave --write out');
  if (how.reprice) {
    const { reprice } = await import('./reprice');
    await reprice({ range, json, write: how.write });
    return;
  }
  const sums = await readUsage({ by, ...range });
  if (csv) process.stdout.write(toCsv(by, sums));
  else printReport(json, { by, usage: sums }, () => toText(by, sums));
  const { state } = pathsHere();
  const isUnkept = await sayUnkept('usage', ledgerDirectory(state), ledgerFile(state, Date.now()));
  if (sums.length > 0 || json || csv || isUnkept) return;
  printNote(from === '' && to === '' ? 'nothing has been used yet' : 'nothing was used in this time');
}

/** The daemon also has turns that are not on disk yet. */
async function readUsage(query: UsageQuery): Promise<UsageSummary[]> {
  const daemon = await runningDaemon();
  if (!daemon) return summarizeUsage(pathsHere().state, query);
  return (await daemon.client.get<{ usage: UsageSummary[] }>('/v1/usage', { ...query })).usage;
}

function emptyRange(from: number, to: number): UsageError {
  return new UsageError(
    `no time is left: --from is ${formatTime(from)}, and --to ends at ${formatTime(to)}`,
    'give a --from that is before --to; a --to without a time includes its day',
  );
}

function toText(by: UsageGrouping, sums: UsageSummary[]): string {
  const { head } = GROUPS[by];
  const total = sums.length > 1 ? [{ key: 'total', ...sums.reduce(addTotals, NO_TURNS) }] : [];
  const rows = [...sums, ...total].map((sum) => toRow(by, sum));
  return formatTable([head, 'Turns', 'Failed', 'Input', 'Cached', 'Output', 'Cost'], rows);
}

function toRow(by: UsageGrouping, { key, ...sum }: UsageSummary): string[] {
  const { turns, failed, inputTokens, cachedInputTokens, outputTokens, costUsd, nominalUsd } = sum;
  const counts = [turns, failed, inputTokens, cachedInputTokens, outputTokens].map(formatCount);
  return [key ?? GROUPS[by].none, ...counts, formatCost(costUsd, nominalUsd)];
}

function toCsv(by: UsageGrouping, sums: UsageSummary[]): string {
  const rows = sums.map((sum) => [sum.key ?? GROUPS[by].none, ...Object.values(COLUMNS).map((name) => sum[name])]);
  return formatCsv([by, ...Object.keys(COLUMNS)], rows);
}

/** The beginning of what a spreadsheet runs as a formula, also in the wide forms of East Asian scripts. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** As in RFC 4180: a head, then one line per row. */
function formatCsv(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [heads, ...rows].map((row) => `${row.map(toField).join(',')}\r\n`).join('');
}

function toField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const line = printable(value);
  const text = FORMULA.test(line) ? `'${line}` : line;
  // Where a comma is the decimal sign, spreadsheets separate at semicolons.
  return /[",;\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
