import { didYouMean } from '../../config/did-you-mean';
import { detectParts } from '../../plugins/detect';

/** Of `detect` as it is written: the reading of it has the defaults in it. */
export function unknownInDetect(detect: Record<string, unknown>): [name: string, guess?: string][] {
  const { models, ...sorts } = detectParts;
  const inside = Object.entries(sorts).flatMap(([sort, { shape }]) =>
    listOf(detect[sort]).flatMap((item, index) => [
      ...unknownIn(Object.keys(item), Object.keys(shape), `detect.${sort}[${index}].`),
      ...(sort === 'ports' ? listOf(item.models) : []).flatMap((list) =>
        unknownIn(Object.keys(list), Object.keys(models.shape), `detect.${sort}[${index}].models.`),
      ),
    ]),
  );
  return [...unknownIn(Object.keys(detect), Object.keys(sorts), 'detect.'), ...inside];
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map((item) => Object(item) as Record<string, unknown>) : [];
}

/** The names that are not known, each with what was probably meant. */
export function unknownIn(names: string[], known: readonly string[], prefix = ''): [name: string, guess?: string][] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const guess = didYouMean(name, known);
      return guess === undefined ? [prefix + name] : [prefix + name, prefix + guess];
    });
}
