import { distance } from 'fastest-levenshtein';
import { nameOrHidden } from '../contract/secrets';
import { UsageError } from '../errors';
import { isPresentable } from './describe-found';

/** Limits the time for a distance, which grows with the product of both lengths. */
const MAXIMUM_LENGTH = 100;

/** The provider of `serve --demo`, which commands in another terminal do not have. */
const DEMO = 'demo';

/** The nearest candidate to a misspelt word, if at most a third of its letters differ. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let smallest = Infinity;
  for (const candidate of candidates) {
    if (candidate === '' || word.length > MAXIMUM_LENGTH || candidate.length > MAXIMUM_LENGTH) continue;
    const edits = countEdits(word.toLowerCase(), candidate.toLowerCase());
    const allowed = Math.floor(Math.max(word.length, candidate.length) / 3);
    if (edits > allowed || edits >= smallest) continue;
    best = candidate;
    smallest = edits;
  }
  return best;
}

/** Counts two swapped letters as one mistake. */
function countEdits(a: string, b: string): number {
  const edits = distance(a, b);
  const isSwap = edits === 2 && a.length === b.length && [...a].sort().join('') === [...b].sort().join('');
  return isSwap ? 1 : edits;
}

/** The hint for an unknown name: the nearest candidate, and `all`, the candidates in words. */
export function suggestName(name: string, candidates: readonly string[], all: string): string {
  const guess = didYouMean(name, candidates);
  return guess === undefined ? all : `did you mean ${guess}? (${all})`;
}

/** For a question to a configuration without mistakes: no command adds to one that has some. */
export const HOW_TO_ADD = '; to add one: drivebay providers add <driver>, or drivebay init where there is no file yet';

/** A name may come as `PROVIDER:MODEL`, the way requests to the gateway write it, or with a slash. The guess is about the provider. `without`: what to do where there is none. */
export function suggestProvider(name: string, providers: readonly string[], without = ''): string {
  const names = providers.filter(isPresentable);
  const all = names.length > 0 ? `providers: ${names.join(', ')}` : 'no provider is configured';
  const wanted = name.replace(/[:/].*/s, '');
  if (wanted === DEMO) return `"${DEMO}" answers requests to a gateway of drivebay serve --demo only (${all})`;
  return didYouMean(wanted, names) === undefined ? all + without : suggestName(wanted, names, all);
}

/** The same where `PROVIDER:MODEL` may stand, which other gateways write with a slash. */
export function suggestTarget(name: string, providers: readonly string[]): string {
  const [owner = '', ...model] = name.split('/');
  if (model.length === 0 || !providers.includes(owner) || !isPresentable(name)) return suggestProvider(name, providers);
  return `did you mean ${owner}:${model.join('/')}?`;
}

export function unknownProvider(name: string, providers: readonly string[]): UsageError {
  return new UsageError(`there is no provider ${nameOrHidden(name)}`, suggestProvider(name, providers, HOW_TO_ADD));
}
