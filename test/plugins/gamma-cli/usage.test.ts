import { usageSince } from '../../../plugins/gamma-cli/usage';

const used = (inputTokens: number, outputTokens: number, cachedInputTokens?: number) => ({
  ...{ type: 'usage' as const, inputTokens, outputTokens },
  ...(cachedInputTokens !== undefined && { cachedInputTokens }),
});

test('the earlier tokens of a session are taken off its total', () => {
  expect(usageSince(used(140, 15, 60), used(100, 10, 50))).toEqual(used(40, 5, 10));
  expect(usageSince(used(40, 5), undefined)).toEqual(used(40, 5));
});

test('nothing is taken off where the program began to count anew', () => {
  expect(usageSince(used(40, 5), used(100, 10))).toEqual(used(40, 5));
});
