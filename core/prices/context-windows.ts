import type { Prices } from './prices';

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
