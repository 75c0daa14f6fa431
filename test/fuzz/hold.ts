import fc from 'fast-check';

/** Of the processor, not of the clock: a busy machine is no hang. */
const LIMIT_MS = 1_000;

/** How many cases each property of a slow file gets. */
export const MANY = Number(process.env.FUZZ_RUNS ?? 100_000);
/** `FUZZ_SEED=7` tries other cases than those of every day. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_123);

// Jest keeps a hundred lines of each error, and most cases make some: a few are enough to tell a stack that shows.
Error.stackTraceLimit = 10;

/** Checks a property with so many cases, and that none of them takes longer than a second. */
export function hold<Case>(arbitrary: fc.Arbitrary<Case>, runs: number, check: (value: Case) => void): void {
  const property = fc.property(arbitrary, (value) => {
    const began = performance.now();
    check(value);
    if (performance.now() - began <= LIMIT_MS) return;
    const before = process.cpuUsage();
    check(value);
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1_000 > LIMIT_MS) throw new Error(`a case takes longer than ${LIMIT_MS} ms`);
  });
  fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
}

/** The same for a check that waits for something. */
export async function holdAsync<Case>(
  arbitrary: fc.Arbitrary<Case>,
  runs: number,
  check: (value: Case) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const before = process.cpuUsage();
    await check(value);
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1_000 > LIMIT_MS) throw new Error(`a case takes longer than ${LIMIT_MS} ms`);
  });
  await fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
}

/** So many cases for a program that takes them in its own time. */
export function casesOf<Case>(arbitrary: fc.Arbitrary<Case>, count: number): Case[] {
  return fc.sample(arbitrary, { numRuns: count, seed });
}

/** That an error is told in words: without the lines that a stack has. */
export function expectNoStack(text: string): void {
  if (/\n\s+at |node:internal|\.ts:\d+/.test(text)) throw new Error(`it shows a stack: ${text}`);
}
