import { dollars, type StepUsage } from '../record/usage';
import type { PriceTable } from './price-table';
import { highestPrice, priceOf, type Rates, type Tiers } from './rates';
import type { TableEntry } from './read-table';

/** Who said what a turn costs: the backend, the prices of the model, the price table, or the price of any token. */
type PriceSource = 'backend' | 'model' | 'table' | 'token';

/** What a turn costs. */
export interface Cost {
  /** What somebody is charged. */
  costUsd: number;
  /** What it would cost without the subscription that pays; absent where none does. */
  nominalUsd?: number;
  /** Absent: no price is known, and the cost counts as 0. */
  priced?: PriceSource;
}

/** The usage of a turn, with what its driver says of the price. */
interface PricedUsage extends StepUsage {
  costUsd?: number;
  nominal?: boolean;
}

export interface PriceOptions {
  /** The prices that the configuration gives, by model. */
  models: ReadonlyMap<string, Rates>;
  table: PriceTable | undefined;
  /** The sellers of the models, as a table may put them before the names: `seller/model`. */
  sellers: readonly string[];
  /** In dollars, for every token; 0 is no price. */
  costPerToken: number;
}

type ModelNames = readonly (string | undefined)[];

/** Where a request sets no limit, few answers are longer. */
const USUAL_OUTPUT = 8_192;

const FREE: Cost = { costUsd: 0 };

/** The prices of one provider, from its configuration and its price table. */
export class Prices {
  private readonly own: ReadonlyMap<string, Tiers>;

  constructor(private readonly options: PriceOptions) {
    this.own = new Map(Array.from(options.models, ([model, rates]) => [model, [{ above: 0, rates }]]));
  }

  /** Resolves when every price is known, and never rejects; undefined once they are. */
  get reading(): Promise<void> | undefined {
    return this.options.table?.reading;
  }

  /** `models`: the names of the model, the one that the backend uses first. */
  costOf(usage: PricedUsage | undefined, models: ModelNames): Cost {
    if (!usage) return FREE;
    const { usd, priced } = this.priceOf(usage, models);
    return usage.nominal ? { costUsd: 0, nominalUsd: usd, priced } : { costUsd: usd, priced };
  }

  /**
   * What a request may cost, rather too much than too little; `isMost`: it cannot cost more. `answers`: how many it has, 0 where
   * they are no tokens; `longest`: how many tokens each one has at most, as far as the request or the configuration says so. No
   * table is asked that is still being read.
   */
  estimate(models: ModelNames, inputTokens: number, answers: number, longest?: number) {
    const most = longest !== undefined && longest > 0 ? longest : undefined;
    const entry = this.inTable(models);
    const tiers = this.tiersOf(models) ?? entry?.tiers;
    const { costPerToken } = this.options;
    if (!tiers && costPerToken === 0) return { usd: 0, isMost: false };
    const outputTokens = answers * (most ?? Math.min(entry?.mostOutput ?? USUAL_OUTPUT, USUAL_OUTPUT));
    const usd = tiers
      ? highestPrice({ inputTokens, outputTokens }, tiers)
      : (inputTokens + outputTokens) * costPerToken;
    return { usd, isMost: answers === 0 || most !== undefined };
  }

  /** As the table says it; undefined as well while it is read. */
  contextWindowOf(model: string): number | undefined {
    return this.inTable([model])?.contextWindow;
  }

  private priceOf(usage: PricedUsage, models: ModelNames): { usd: number; priced?: PriceSource } {
    if (usage.costUsd !== undefined) return { usd: dollars(usage.costUsd), priced: 'backend' };
    const own = this.tiersOf(models);
    if (own) return { usd: priceOf(usage, own), priced: 'model' };
    const listed = this.inTable(models)?.tiers;
    if (listed) return { usd: priceOf(usage, listed), priced: 'table' };
    const { costPerToken } = this.options;
    if (costPerToken === 0) return { usd: 0 };
    return { usd: dollars((usage.inputTokens + usage.outputTokens) * costPerToken), priced: 'token' };
  }

  private tiersOf(models: ModelNames): Tiers | undefined {
    for (const model of models) {
      const tiers = model === undefined ? undefined : this.own.get(model);
      if (tiers) return tiers;
    }
    return undefined;
  }

  /** The seller's own price comes first: the same model has another price elsewhere. */
  private inTable(models: ModelNames): TableEntry | undefined {
    const { table, sellers } = this.options;
    if (!table) return undefined;
    for (const model of models) {
      if (model === undefined) continue;
      for (const seller of sellers) {
        const entry = table.find(`${seller}/${model}`);
        if (entry) return entry;
      }
      const entry = table.find(model);
      if (entry) return entry;
    }
    return undefined;
  }
}

/** The context windows of a provider. Its own entries are those of the configuration; `get` knows the price table as well. */
export class ContextWindows extends Map<string, number> {
  constructor(
    configured: Iterable<readonly [string, number]>,
    private readonly prices: Pick<Prices, 'contextWindowOf'>,
  ) {
    super(configured);
  }

  override get(model: string): number | undefined {
    return super.get(model) ?? this.prices.contextWindowOf(model);
  }
}
