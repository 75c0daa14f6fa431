import { LimitBook } from '../../core/limits/limit-book';
import { reportLimits } from '../../core/limits/limit-report';
import { TempHome } from '../setup/temp-home';

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

function openBook(): LimitBook {
  const state = new TempHome().directory;
  return new LimitBook({ state, ledger: { flush: () => Promise.resolve() }, log });
}

test('a report has every limit with its use, the queue, and who was turned away for what', async () => {
  const book = openBook();
  const editor = { name: 'editor', limits: { requests_per_minute: 3, budget_usd: { day: 2 } }, maxConcurrency: 4 };
  const guest = { name: 'guest', limits: {} };
  const { limits } = book.client(editor)!;
  await limits!.restoring;
  limits!.enter({ usd: 1, isMost: true });
  limits!.enter().settle(5, 0.5);
  book.refusals.note('guest', 'allow', 10);
  book.refusals.note('guest', 'allow', 20);
  book.refusals.noteStranger();
  const main = book.of({ type: 'provider', name: 'main' }, { tokens_per_minute: 9 });
  const before = Date.now();
  // Two projects that are open have the same clients, and the same providers of the global file.
  const report = await reportLimits(
    book,
    [editor, guest, editor, guest],
    [{ name: 'main', limits: main }, { name: 'main', limits: main }, { name: 'free' }],
  );
  expect(report).toEqual({
    clients: [
      {
        name: 'editor',
        requests: { limit: 3, used: 2, resetAt: expect.any(Number) },
        tokens: undefined,
        budgets: [{ period: 'day', limitUsd: 2, spentUsd: 0.5, heldUsd: 1, resetAt: expect.any(Number) }],
        queue: { running: 0, waiting: 0, limit: 4 },
        turnedAway: [],
      },
      { name: 'guest', budgets: [], queue: null, turnedAway: [{ reason: 'allow', count: 2, lastAt: 20 }] },
    ],
    providers: [{ name: 'main', tokens: { limit: 9, used: 0, resetAt: expect.any(Number) }, budgets: [] }],
    strangers: { reason: 'key', count: 1, lastAt: expect.any(Number) },
  });
  expect(report.clients[0]!.requests!.resetAt).toBeGreaterThan(before);
});

test('a reload with a lower max_concurrency counts the requests that run, and those that wait stay in the queue', async () => {
  const book = openBook();
  const { signal } = new AbortController();
  const slotsOf = (maxConcurrency: number) => book.client({ name: 'editor', limits: {}, maxConcurrency })!.slots!;
  const old = slotsOf(2);
  await old.acquire(signal);
  await old.acquire(signal);
  const waits = old.acquire(signal);
  const slots = slotsOf(1);
  expect(slots.load).toEqual({ running: 2, waiting: 1, limit: 1 });
  old.release();
  expect(slots.load).toEqual({ running: 1, waiting: 1, limit: 1 });
  old.release();
  await waits;
  expect(slots.load).toEqual({ running: 1, waiting: 0, limit: 1 });
});
