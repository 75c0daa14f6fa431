import type { ChatRequest } from 'drivebay/plugin';
import { failureOf } from '../http/open-pool';
import { json, type Answer } from '../setup/upstream';
import type { DriverHarness } from './harness';
import type { RecordedRefusal } from './recorded-refusals';

export interface VendorRefusals {
  start: () => Promise<DriverHarness>;
  recorded: RecordedRefusal[];
  /** The vendor's answer to a request that it takes. */
  taken: Answer;
}

/** What holds for the refusals of every vendor. */
export function testRefusals({ start, recorded, taken }: VendorRefusals): void {
  let harness: DriverHarness;

  beforeEach(async () => {
    harness = await start();
  });

  afterEach(() => harness.close());

  async function ignoredBy(request: Partial<ChatRequest>): Promise<string[]> {
    const [first] = await harness.chat(request);
    return first?.type === 'meta' ? (first.ignored ?? []) : [];
  }

  test.each(recorded)(
    'of $seen is asked again without, which is reported and remembered for the model',
    async ({ answer, request, holds, ignored = [], isOnce }) => {
      harness.upstream.answer(({ body }) => (holds(body) ? json(answer, { status: 400 }) : taken));
      // Both are under way when the first refusal comes.
      expect(await Promise.all([ignoredBy(request), ignoredBy(request)])).toEqual([ignored, ignored]);
      expect(harness.upstream.requests).toHaveLength(4);
      expect(await ignoredBy(request)).toEqual(ignored);
      expect(harness.upstream.requests).toHaveLength(isOnce ? 6 : 5);
      expect(await ignoredBy({ ...request, model: 'other' })).toEqual(ignored);
      expect(harness.upstream.requests).toHaveLength(isOnce ? 8 : 7);
    },
  );

  test.each(recorded)('of $seen that comes again is the client’s to hear', async ({ answer, request }) => {
    harness.upstream.answer(json(answer, { status: 400 }));
    expect(await failureOf(harness.chat(request))).toMatchObject({ code: 'rejected', status: 400 });
    expect(harness.upstream.requests.length).toBeLessThanOrEqual(3);
  });

  test.each(recorded.slice(0, 1))('is not looked for in other failures: $seen', async ({ answer, request }) => {
    harness.upstream.answer(json(answer, { status: 500 }));
    expect((await failureOf(harness.chat(request))).code).toBe('upstream');
    expect(harness.upstream.requests).toHaveLength(1);
  });
}
