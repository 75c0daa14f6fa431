import { starPattern } from '../../plugins/star-pattern';
import { type Examined, SORTS, type Sort } from './sighting';

/** Why `init` chooses a default: a backend paid by the token is the default only where nothing else answers. */
export const PREFERENCE =
  'programs that you are logged in to first, then servers on this machine, then keys, which are paid by the token';

/** Why `init` chose a provider: a comment in the file, which stays true when the user chooses another one. */
export const REASONS: Record<Sort, string> = {
  program: 'it runs with the login or key that it has',
  server: 'it runs on your machine and costs nothing',
  key: 'it answers; it is paid by the token',
};

/** The backends that answer a request with the bare provider name, the best choice first. */
export function candidates(examined: readonly Examined[]): Examined[] {
  const answersByName = ({ state, sighting: { manifest, provider } }: Examined) =>
    state === 'answers' && (manifest.kind !== 'http' || provider.default_model !== undefined);
  return examined.filter(answersByName).sort((a, b) => rank(a) - rank(b));
}

/** A program may fail at the first question where it does not say that it is logged in. */
function rank({ sighting, isLoggedIn = true }: Examined): number {
  return SORTS.indexOf(sighting.sort) + (isLoggedIn ? 0 : SORTS.length);
}

/**
 * Chooses a model by an order of preference in which `*` stands for any text. `offered` is the backend's list. Without one
 * the first plain name wins.
 */
export function preferredModel(
  preferred: readonly string[],
  offered: readonly string[] | undefined,
): string | undefined {
  if (!offered) return preferred.find((name) => !name.includes('*'));
  for (const wish of preferred) {
    const pattern = starPattern(wish);
    const matches = offered.filter((name) => pattern.test(name));
    if (matches.length > 0) return newest(matches);
  }
  return undefined;
}

/** Compares numbers as numbers: 10 is newer than 9. A dated name is the second choice: it stays at its version for ever. */
function newest(names: readonly string[]): string | undefined {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const plain = names.filter((name) => !SPECIAL.test(name));
  const lasting = plain.filter((name) => !DATE.test(name));
  const best = [lasting, plain, names].find(({ length }) => length > 0) ?? [];
  return [...best].sort((a, b) => compare(b, a))[0];
}

/** A model for one purpose has the name of the general model and a word more. */
const SPECIAL = /audio|realtime|image|tts|transcribe|embed|search|preview|exp|vision|live|guard|thinking|code|lite/i;
const DATE = /\d{8}|\d{4}-\d\d-\d\d/;
