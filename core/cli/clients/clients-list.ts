import { type ClientKey, readClientKeys } from '../../config/client-keys';
import type { ClientEntry } from '../../config/clients';
import type { ClientReport, LimitReport } from '../../limits/limit-report';
import { startOf } from '../../limits/periods';
import { ledgerEntries } from '../../record/ledger-entries';
import { dollars } from '../../record/usage';
import { askIfRunning } from '../daemon/running-daemon';
import { pathsHere } from '../here';
import { openProjectHere } from '../open-project';
import { formatTable, printNote, printReport, printWarnings } from '../terminal/print';
import { countOf, formatCost } from '../terminal/format';

type Sums = Record<'day' | 'month', number>;

/** By the ledger. */
interface Spent {
  known: Sums;
  /** With the estimates for turns whose cost was not reported: budgets count them. */
  counted: Sums;
}

const NOTHING: Spent = { known: { day: 0, month: 0 }, counted: { day: 0, month: 0 } };

/** `clients`: who may ask the gateway. Needs no daemon; one that runs says what is used now, and who was turned away. */
export async function clientsList({ json }: { json?: boolean }): Promise<void> {
  const { project } = openProjectHere({ useProject: true });
  printWarnings(project.warnings);
  const { clients: entries = [], environment } = project;
  await project.close();
  const spent = await spentBy(entries);
  const report = await askIfRunning<LimitReport>('/v1/limits', 'what is used now');
  const keys = readClientKeys({ entries, environment });
  const rows = keys.map(({ client, fault }) => {
    const now = report?.clients.find(({ name }) => name === client.name) ?? null;
    return { ...describe(client, spent.get(client.name) ?? NOTHING, now), now, fault: fault?.message ?? null };
  });
  const strangers = report?.strangers ?? null;
  printReport(json, { needsKey: project.clients !== undefined, strangers, clients: rows }, () =>
    formatTable(
      ['Client', 'Key', 'May ask for', 'Limits', 'Today', 'Month', ...(report ? ['Turned away'] : [])],
      rows.map(({ name, allow, limits, maxConcurrency, spentUsd, leftUsd, now, fault }, index) => [
        name,
        { text: keyWords(keys[index]!), colour: fault === null ? 'green' : 'red' },
        allow?.join(', ') ?? 'everything',
        limitWords({ ...limits, max_concurrency: maxConcurrency ?? undefined }, now),
        moneyWords(spentUsd.day, leftUsd.day),
        moneyWords(spentUsd.month, leftUsd.month),
        ...(report ? [refusedWords(now)] : []),
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
  if (strangers) printNote(`note: ${countOf(strangers.count, 'request')} had no key that the gateway knows`);
  if (rows.length > 0) return;
  const state = project.clients ? 'no key opens the gateway' : 'the gateway takes any key';
  printNote(`no client is configured, so ${state}; to add one: drivebay clients new NAME`);
}

/** A daemon knows better what is left: it may share its budgets with other machines. */
function describe(entry: ClientEntry, { known, counted }: Spent, now: ClientReport | null) {
  const { name, keyVariable, allow, limits, maxConcurrency } = entry;
  const left = (period: keyof Sums) => {
    const budget = limits.budget_usd?.[period];
    const used = now?.budgets.find((each) => each.period === period)?.spentUsd ?? counted[period];
    return budget === undefined ? null : Math.max(0, dollars(budget - used));
  };
  return {
    name,
    key: { variable: keyVariable ?? null },
    allow: allow ?? null,
    limits,
    maxConcurrency: maxConcurrency ?? null,
    spentUsd: known,
    leftUsd: { day: left('day'), month: left('month') },
  };
}

async function spentBy(entries: readonly ClientEntry[]): Promise<Map<string, Spent>> {
  const sums = new Map<string, Spent>();
  if (entries.length === 0) return sums;
  const now = Date.now();
  const day = startOf('day', now);
  const range = { from: startOf('month', now), to: now + 1 };
  for await (const turn of ledgerEntries(pathsHere().state, range)) {
    const { client, costUsd, time, guess } = turn;
    if (client === undefined) continue;
    const { known, counted } = sums.get(client) ?? NOTHING;
    const isToday = time >= day;
    sums.set(client, {
      known: plus(known, costUsd, isToday),
      counted: plus(counted, guess?.costUsd ?? costUsd, isToday),
    });
  }
  return sums;
}

function plus({ day, month }: Sums, usd: number, isToday: boolean): Sums {
  return { day: isToday ? dollars(day + usd) : day, month: dollars(month + usd) };
}

function keyWords({ client, fault }: ClientKey): string {
  if (!fault) return client.keyVariable ?? 'stored digest';
  return fault.owner === undefined ? 'missing' : `same as ${fault.owner}`;
}

/** `3 of 60 requests/min`, where it is known how many are used. */
function limitWords(limits: ClientEntry['limits'] & { max_concurrency?: number }, now: ClientReport | null): string {
  const { requests_per_minute: requests, tokens_per_minute: tokens, max_concurrency: most } = limits;
  const words = (limit: number | undefined, used: number | undefined, what: string) =>
    limit === undefined ? [] : [`${used === undefined ? '' : `${used} of `}${limit} ${what}`];
  const all = [
    ...words(requests, now?.requests?.used, 'requests/min'),
    ...words(tokens, now?.tokens?.used, 'tokens/min'),
    ...words(most, now?.queue?.running, 'at once'),
  ];
  return all.join(', ') || 'none';
}

/** Since the daemon started: `12 requests, 1 allow`. */
function refusedWords(now: ClientReport | null): string {
  return now?.turnedAway.map(({ reason, count }) => `${count} ${reason}`).join(', ') || 'none';
}

function moneyWords(spent: number, left: number | null): string {
  const words = (usd: number) => formatCost(usd) || '$0';
  return left === null ? words(spent) : `${words(spent)} (left ${words(left)})`;
}
