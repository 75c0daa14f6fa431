import { type LedgerLine, ledgerLines, type UsageEntry, type UsageRange } from './ledger-entries';
import { type PriceOverlay, readOverlay, type TurnPrice } from './price-overlay';
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
  const overlays = new Map<string, PriceOverlay>();
  for await (const line of ledgerLines(state, range)) {
    const { entry, file, number } = line;
    const before = line.price ?? pricesOf(entry);
    const found = isPricedHere(entry) ? await priceOf(entry) : pricesOf(entry);
    const after = typeof found === 'string' ? before : found;
    const isChanged = !isSame(before, after);
    note(groups, line, { before, after, isChanged, kept: typeof found === 'string' ? found : undefined });
    if (!isChanged) continue;
    const overlay = overlays.get(file) ?? (await readOverlay(file));
    overlays.set(file, overlay);
    if (isSame(after, pricesOf(entry))) overlay.delete(number);
    else overlay.set(number, { time: entry.time, price: after });
  }
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
  const none = { costUsd: 0, nominalUsd: 0 };
  const kinds = { before: { ...none }, after: { ...none }, kept: { no_price: 0, no_provider: 0 } };
  const group = groups.get(key) ?? { provider, model, turns: 0, changed: 0, ...kinds };
  groups.set(key, group);
  group.turns += 1;
  if (isChanged) group.changed += 1;
  if (kept !== undefined) group.kept[kept] += 1;
  add(group.before, before);
  add(group.after, after);
}

function add(sums: Sums, { costUsd, nominalUsd = 0 }: TurnPrice): void {
  sums.costUsd = dollars(sums.costUsd + costUsd);
  sums.nominalUsd = dollars(sums.nominalUsd + nominalUsd);
}
