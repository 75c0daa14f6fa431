import { type LedgerLine, ledgerLines, unreadableOverlays, type UsageEntry, type UsageRange } from './ledger-entries';
import { type OverlaidPrice, type PriceOverlay, readOverlay, type TurnPrice } from './price-overlay';
import { dollars, type StepUsage } from './usage';

/** A turn that has used something. */
export type UsedTurn = UsageEntry & { usage: StepUsage };

/** Why a turn keeps its price: the configuration has no price for it now, or no such provider. */
export type KeepReason = 'no_price' | 'no_provider';

/** What the turns of one model of a provider cost, as it was and as it would be. */
export interface RepricedGroup {
  provider: string;
  model: string | null;
  turns: number;
  /** How many of them have another price now. */
  changed: number;
  before: Sums;
  after: Sums;
  kept: Record<KeepReason, number>;
}

interface Sums {
  costUsd: number;
  nominalUsd: number;
}

export interface Repricing {
  groups: RepricedGroup[];
  /** What is to be written beside the files of the ledger, for those where something changes. */
  overlays: Map<string, PriceOverlay>;
}

/** Computes what the turns of a range cost by the prices that `priceOf` knows. Writes nothing. */
export async function repriceLedger(
  state: string,
  range: UsageRange,
  priceOf: (turn: UsedTurn) => Promise<TurnPrice | KeepReason>,
): Promise<Repricing> {
  const groups = new Map<string, RepricedGroup>();
  const changes = new Map<string, Map<number, OverlaidPrice | undefined>>();
  for await (const line of ledgerLines(state, range)) {
    const { entry, file, number } = line;
    const before = line.price ?? pricesOf(entry);
    const found = isPricedHere(entry) ? await priceOf(entry) : pricesOf(entry);
    const after = typeof found === 'string' ? before : found;
    const isChanged = !isSame(before, after);
    note(groups, line, { before, after, isChanged, kept: typeof found === 'string' ? found : undefined });
    if (!isChanged) continue;
    const ofFile = changes.get(file) ?? new Map<number, OverlaidPrice | undefined>();
    changes.set(
      file,
      ofFile.set(number, isSame(after, pricesOf(entry)) ? undefined : { time: entry.time, price: after }),
    );
  }
  // This also repairs a file that cannot be read.
  for (const file of await unreadableOverlays(state, range))
    changes.set(file, changes.get(file) ?? new Map<number, undefined>());
  const overlays = new Map<string, PriceOverlay>();
  for (const [file, changed] of changes) overlays.set(file, await joined(file, changed));
  const sorted = [...groups].sort(([one], [other]) => one.localeCompare(other));
  return { groups: sorted.map(([, group]) => group), overlays };
}

/** Prices do not change a cost that the backend has reported, nor one that an old version has booked without its source. */
function isPricedHere(entry: UsageEntry): entry is UsedTurn {
  const { usage, priced, costUsd, nominalUsd = 0 } = entry;
  return usage !== undefined && priced !== 'backend' && (priced !== undefined || (costUsd === 0 && nominalUsd === 0));
}

function pricesOf({ costUsd, nominalUsd, priced }: UsageEntry): TurnPrice {
  return { costUsd, nominalUsd, priced };
}

function isSame(one: TurnPrice, other: TurnPrice): boolean {
  return one.costUsd === other.costUsd && one.nominalUsd === other.nominalUsd;
}

interface Found {
  before: TurnPrice;
  after: TurnPrice;
  isChanged: boolean;
  kept: KeepReason | undefined;
}

function note(
  groups: Map<string, RepricedGroup>,
  { entry: { provider, model } }: LedgerLine,
  { before, after, isChanged, kept }: Found,
): void {
  const key = `${provider}:${model ?? ''}`;
  const none = () => ({ costUsd: 0, nominalUsd: 0 });
  const made = { provider, model, turns: 0, changed: 0, before: none(), after: none(), kept: noneKept() };
  const group = groups.get(key) ?? made;
  groups.set(key, group);
  group.turns += 1;
  if (isChanged) group.changed += 1;
  if (kept !== undefined) group.kept[kept] += 1;
  add(group.before, before);
  add(group.after, after);
}

function noneKept(): Record<KeepReason, number> {
  return { no_price: 0, no_provider: 0 };
}

function add(sums: Sums, { costUsd, nominalUsd = 0 }: TurnPrice): void {
  sums.costUsd = dollars(sums.costUsd + costUsd);
  sums.nominalUsd = dollars(sums.nominalUsd + nominalUsd);
}

/** The prices beside a file with changes; undefined takes a price out. */
async function joined(file: string, changed: ReadonlyMap<number, OverlaidPrice | undefined>): Promise<PriceOverlay> {
  const prices = new Map(await readOverlay(file));
  for (const [number, price] of changed) {
    if (price) prices.set(number, price);
    else prices.delete(number);
  }
  return prices;
}
