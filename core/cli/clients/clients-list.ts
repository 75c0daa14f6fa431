import { readClientKeys } from '../../config/client-keys';
import type { ClientEntry } from '../../config/clients';
import { startOf } from '../../limits/periods';
import { ledgerEntries } from '../../record/ledger-entries';
import { pathsHere } from '../here';
import { openProjectHere } from '../open-project';
import { formatCost } from '../terminal/format';
import { printNote, printReport, printWarnings } from '../terminal/print';
import { formatTable } from '../terminal/table';

interface Spent {
  day: number;
  month: number;
}

/** `clients`: who may ask the gateway. Needs no daemon. */
export async function clientsList({ json }: { json?: boolean }): Promise<void> {
  const { project } = openProjectHere({ useProject: true });
  printWarnings(project.warnings);
  const { clients: entries = [], environment } = project;
  await project.close();
  const spent = await spentBy(entries);
  const rows = readClientKeys({ entries, environment }).map(({ client, fault }) => ({
    ...describe(client, spent.get(client.name) ?? { day: 0, month: 0 }),
    fault: fault?.message ?? null,
  }));
  printReport(json, { needsKey: project.clients !== undefined, clients: rows }, () =>
    formatTable(
      ['Client', 'Key', 'May ask for', 'Limits', 'Today', 'Month'],
      rows.map(({ name, key, allow, limits, maxConcurrency, spentUsd, leftUsd, fault }) => [
        name,
        {
          text: fault === null ? (key.variable ?? 'stored digest') : 'missing',
          colour: fault === null ? 'green' : 'red',
        },
        allow?.join(', ') ?? 'everything',
        limitWords({ ...limits, max_concurrency: maxConcurrency ?? undefined }),
        moneyWords(spentUsd.day, leftUsd.day),
        moneyWords(spentUsd.month, leftUsd.month),
      ]),
    ),
  );
  if (json) return;
  for (const { fault } of rows) if (fault !== null) printNote(`note: in this terminal: ${fault}`);
  if (rows.some(({ key }) => key.variable !== null)) {
    printNote(
      'note: a gateway has an environment of its own, and says at its start which of these variables it misses',
    );
  }
  if (rows.length > 0) return;
  const state = project.clients ? 'no key opens the gateway' : 'the gateway takes any key';
  printNote(`no client is configured, so ${state}; to add one: drivebay clients new NAME`);
}

function describe({ name, keyVariable, allow, limits, maxConcurrency }: ClientEntry, spent: Spent) {
  const { day, month } = limits.budget_usd ?? {};
  const left = (budget: number | undefined, used: number) => (budget === undefined ? null : Math.max(0, budget - used));
  return {
    name,
    key: { variable: keyVariable ?? null },
    allow: allow ?? null,
    limits,
    maxConcurrency: maxConcurrency ?? null,
    spentUsd: spent,
    leftUsd: { day: left(day, spent.day), month: left(month, spent.month) },
  };
}

async function spentBy(entries: readonly ClientEntry[]): Promise<Map<string, Spent>> {
  const sums = new Map<string, Spent>();
  if (entries.length === 0) return sums;
  const now = Date.now();
  const day = startOf('day', now);
  for await (const turn of ledgerEntries(pathsHere().state, { from: startOf('month', now), to: now + 1 })) {
    const { client, costUsd, time } = turn;
    if (client === undefined) continue;
    const sum = sums.get(client) ?? { day: 0, month: 0 };
    sums.set(client, { day: sum.day + (time >= day ? costUsd : 0), month: sum.month + costUsd });
  }
  return sums;
}

function limitWords(limits: ClientEntry['limits'] & { max_concurrency?: number }): string {
  const { requests_per_minute: requests, tokens_per_minute: tokens, max_concurrency: most } = limits;
  const words = [requests && `${requests} requests/min`, tokens && `${tokens} tokens/min`, most && `${most} at once`];
  return words.filter(Boolean).join(', ') || 'none';
}

function moneyWords(spent: number, left: number | null): string {
  const words = (usd: number) => formatCost(usd) || '$0';
  return left === null ? words(spent) : `${words(spent)} (left ${words(left)})`;
}
