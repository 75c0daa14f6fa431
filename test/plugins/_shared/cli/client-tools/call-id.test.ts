import { newCallId } from '../../../../../plugins/_shared/cli/client-tools/call-id';

test('an id is long, plain and never the same', () => {
  const ids = Array.from({ length: 1000 }, newCallId);
  for (const id of ids) expect(id).toMatch(/^call_[0-9A-Za-z]{24}$/);
  expect(new Set(ids).size).toBe(1000);
});
