import { didYouMean } from './did-you-mean';

/** The hint about a name that nobody has: the nearest one, and all there are. `all` is that list, in words. */
export function suggestName(name: string, candidates: readonly string[], all: string): string {
  const guess = didYouMean(name, candidates);
  return guess === undefined ? all : `did you mean ${guess}? (${all})`;
}

/** The same, for providers. */
export function suggestProvider(name: string, providers: readonly string[]): string {
  const all = providers.length > 0 ? `providers: ${providers.join(', ')}` : 'no provider is configured';
  return suggestName(name, providers, all);
}
