import { DriverError } from '../../../../core/contract/driver-error';
import { Refusals } from '../../../../plugins/_shared/http/refusals';
import { fitLimit, LIMIT_REFUSALS, limitParts } from '../../../../plugins/_shared/http/token-limit';
import { newCall } from '../../harness';
import { LIMITS } from '../../recorded-limits';

/** Asks a model twice; each request is refused with the words while its limit is above `most`. Returns all limits. */
async function limitsAsked(words: string, wish: number | undefined, most: number): Promise<(number | undefined)[]> {
  const refusals = new Refusals(LIMIT_REFUSALS);
  const asked: (number | undefined)[] = [];
  const makeError = (...parts: ConstructorParameters<typeof DriverError>) => new DriverError(...parts);
  for (const _ of [1, 2]) {
    await refusals.send('m', newCall(), [], (without) => {
      const limit = fitLimit(wish, without, makeError);
      const send = () => {
        asked.push(limit);
        if ((limit ?? Infinity) <= most) return Promise.resolve();
        return Promise.reject(new DriverError('rejected', 'x', { status: 400, answer: { error: { message: words } } }));
      };
      return { parts: () => limitParts(limit), send };
    });
  }
  return asked;
}

test.each(LIMITS)('the limit is lowered on "$words" ($seen)', async ({ words, next, isOnce }) => {
  const again = isOnce ? [64_000, next] : [next];
  expect(await limitsAsked(words, 64_000, next)).toEqual([64_000, next, ...again]);
});

test('a limit below the model’s stays, and one that nobody asked for is not made up', async () => {
  expect(await limitsAsked('', 100, 8192)).toEqual([100, 100]);
  await expect(limitsAsked(LIMITS[0]!.words, undefined, 1)).rejects.toMatchObject({ code: 'rejected' });
});

test('where the conversation leaves hardly any room, it is too long', async () => {
  const words = 'input length and `max_tokens` exceed context limit: 199900 + 32000 > 200000';
  const overflow = { kind: 'context_overflow', message: expect.stringContaining('199900 + 32000 > 200000') };
  await expect(limitsAsked(words, 32_000, 100)).rejects.toMatchObject(overflow);
});
