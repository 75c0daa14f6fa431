import type { ChatEvent } from '../../core/contract/api';
import { nameUnknownType, unknownFields } from '../../core/providers/event-names';

test.each([
  ['usages', '"usages" (did you mean "usage"?)'],
  ['weather', '"weather"'],
  [undefined, '"undefined"'],
  ['constructor', '"constructor"'],
])('the unknown type %p is named with the nearest one', (type, named) => {
  expect(nameUnknownType(type)).toBe(named);
});

test('unknown fields are named with the nearest one', () => {
  const event = { type: 'usage', inputTokens: 1, outputTokens: 1, cacheInputTokens: 1, toString: 1 };
  expect(unknownFields(event as unknown as ChatEvent)).toEqual([
    '"cacheInputTokens" (did you mean "cachedInputTokens"?)',
    '"toString"',
  ]);
});
