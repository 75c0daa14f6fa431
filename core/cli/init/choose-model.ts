/**
 * The model to use, by an order of preference in which `*` stands for any text. `offered` is what the backend lists; where
 * it does not say, the first plain name has to do.
 */
export function chooseModel(preferred: readonly string[], offered: readonly string[] | undefined): string | undefined {
  if (!offered) return preferred.find((name) => !name.includes('*'));
  for (const wish of preferred) {
    const pattern = new RegExp(`^${wish.split('*').map(escape).join('.*')}$`);
    const matches = offered.filter((name) => pattern.test(name));
    if (matches.length > 0) return newest(matches);
  }
  return undefined;
}

const escape = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** Numbers count as numbers: 10 is newer than 9. A name with a date in it stays what it is when a newer one comes. */
function newest(names: readonly string[]): string | undefined {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const plain = names.filter((name) => !SPECIAL.test(name));
  const lasting = plain.filter((name) => !DATE.test(name));
  const candidates = [lasting, plain, names].find(({ length }) => length > 0) ?? [];
  return [...candidates].sort((a, b) => compare(b, a))[0];
}

/** Models for one purpose are called like the general one, with a word more. */
const SPECIAL = /audio|realtime|image|tts|transcribe|embed|search|preview|exp|vision|live|guard|thinking|code|lite/i;
const DATE = /\d{8}|\d{4}-\d\d-\d\d/;
