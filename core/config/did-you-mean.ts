import { distance } from 'fastest-levenshtein';

/** The time that a distance takes grows with the product of both lengths. */
const MAXIMUM_LENGTH = 100;

/** The candidate that is the closest to a misspelt word, if one is close: about a third of the letters may differ. */
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

/** Two letters in the wrong order are one mistake, though two edits. */
function countEdits(a: string, b: string): number {
  const edits = distance(a, b);
  const isSwap = edits === 2 && a.length === b.length && [...a].sort().join('') === [...b].sort().join('');
  return isSwap ? 1 : edits;
}
