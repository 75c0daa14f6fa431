import fc from 'fast-check';

type Container = Record<string, unknown> | unknown[];
type Change = 'replace' | 'remove' | 'repeat' | 'wrap' | 'add' | 'graft' | 'rename';

interface Mutation {
  at: number;
  change: Change;
  odd: string;
  /** The place of a value in another sample. */
  from: number;
  name: string;
}

/** Values that JSON can hold and that code forgets, as texts: each place gets one of its own. */
const ODD = [
  ...[null, true, false, 0, -1, 1.5, 1e21, 2 ** 53, -0, '', ' ', '0', 'null', 'constructor', '__proto__', '\u0000'],
  ...['\ud800', '\u2028', '\ufeff', 'a'.repeat(5_000), '🙂', '../..', '\r\n', '%00', '[DONE]', '${X}', 'data:;base64,'],
  ...[
    [],
    {},
    [[]],
    [null],
    [''],
    [{}],
    { toString: 1 },
    { toString: null, valueOf: null },
    { length: -1 },
    { then: 1 },
  ],
  ...[{ type: 'text' }, { type: { toString: 1 } }, { constructor: {} }, JSON.parse('{"__proto__":{"a":1}}')],
  ...[JSON.parse(`${'['.repeat(150)}${']'.repeat(150)}`), JSON.parse(`${'{"a":'.repeat(250)}1${'}'.repeat(250)}`)],
].map((value: unknown) => JSON.stringify(value));
const NAMES = ['type', 'id', 'name', 'content', '__proto__', 'constructor', 'toString', 'toJSON', 'length', '', 'x'];
const CHANGES: readonly Change[] = [
  'replace',
  'replace',
  'replace',
  'remove',
  'repeat',
  'wrap',
  'add',
  'graft',
  'rename',
];

/**
 * Values that are nearly one of the samples: each has a few fields that are odd, gone, doubled, of another name, or of
 * another sample. Pure noise would hardly come further than the first check of a reader.
 */
export function mutated(samples: readonly unknown[]): fc.Arbitrary<unknown> {
  const texts = samples.map((sample) => JSON.stringify(sample));
  const parts = samples.flatMap((sample) => valuesIn(sample));
  // One number for each mutation: an arbitrary for each of its fields takes longer than what is tested.
  const numbers = fc.array(fc.nat(), { maxLength: 4 });
  return fc.tuple(fc.nat(samples.length - 1), numbers).map(([index, mutations]) => {
    const root = { value: JSON.parse(texts[index]!) as unknown };
    for (const number of mutations) apply(root, mutationOf(number), parts);
    return root.value;
  });
}

function mutationOf(number: number): Mutation {
  let state = number;
  const next = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8;
  const pick = <Value>(values: readonly Value[]): Value => values[next() % values.length]!;
  return { at: next(), change: pick(CHANGES), odd: pick(ODD), from: next(), name: pick(NAMES) };
}

function apply(root: { value: unknown }, { at, change, odd, from, name }: Mutation, parts: readonly string[]): void {
  const places = placesIn(root);
  const [container, key] = places[at % places.length]!;
  const value: unknown = (container as Record<string, unknown>)[key];
  switch (change) {
    case 'replace':
      return put(container, key, JSON.parse(odd));
    case 'graft':
      return put(container, key, JSON.parse(parts[from % parts.length]!));
    case 'wrap':
      return put(container, key, from % 2 === 0 ? [value] : { [name]: value });
    case 'add':
      if (typeof value === 'object' && value !== null)
        put(value as Container, Array.isArray(value) ? '0' : name, JSON.parse(odd));
      return;
    case 'repeat':
      if (Array.isArray(value)) value.push(...(structuredClone(value) as unknown[]).slice(0, 20));
      else if (typeof value === 'string' && value.length < 20_000) put(container, key, value + value);
      return;
    case 'remove':
    case 'rename':
      if (container === root) return;
      if (Array.isArray(container)) container.splice(Number(key), 1);
      else delete container[key];
      if (change === 'rename' && !Array.isArray(container)) put(container, name, value);
  }
}

/** As `JSON.parse` does it, for `__proto__` as well. */
function put(container: Container, key: string, value: unknown): void {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Where every value of a tree is, the root among them. */
function placesIn(root: { value: unknown }): [Container, string][] {
  const places: [Container, string][] = [];
  const waiting: Container[] = [root];
  for (let container = waiting.pop(); container && places.length < 2_000; container = waiting.pop()) {
    for (const key of Object.keys(container)) {
      places.push([container, key]);
      const value = (container as Record<string, unknown>)[key];
      if (typeof value === 'object' && value !== null) waiting.push(value as Container);
    }
  }
  return places;
}

function valuesIn(sample: unknown): string[] {
  const values = placesIn({ value: sample }).map(([container, key]) => (container as Record<string, unknown>)[key]);
  return values.map((value) => JSON.stringify(value));
}
