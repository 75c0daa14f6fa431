import type { LimitFields } from '../../core/config/limit-fields';
import { LimitReached } from '../../core/limits/limit-reached';
import type { Hold } from '../../core/limits/hold';
import { Limits } from '../../core/limits/limits';
import { Tally } from '../../core/limits/tally';

const owner = { type: 'client', name: 'editor' } as const;
const limitsOf = (fields: LimitFields, tally?: Tally) => new Limits(owner, fields, tally);
const noon = new Date(2026, 10, 23, 12).getTime();

function refusal(limits: Limits, now = Date.now()): LimitReached {
  try {
    limits.enter(undefined, false, now);
  } catch (error) {
    return error as LimitReached;
  }
  throw new Error('it was let in');
}

/** Lets in what may go in, of so many requests at once. */
function enterMany(limits: Limits, count: number, estimate = { usd: 0, isMost: true }): Hold[] {
  const holds: Hold[] = [];
  for (let each = 0; each < count; each++) {
    try {
      holds.push(limits.enter(estimate));
    } catch (error) {
      expect(error).toBeInstanceOf(LimitReached);
    }
  }
  return holds;
}

test('of 200 requests at once exactly the limit is let in', () => {
  expect(enterMany(limitsOf({ requests_per_minute: 60 }), 200)).toHaveLength(60);
});

test('a minute begins with its first request, and the next one is let in when it has ended', () => {
  const limits = limitsOf({ requests_per_minute: 2 });
  limits.enter(undefined, false, noon);
  limits.enter(undefined, false, noon + 50_000);
  expect(refusal(limits, noon + 50_000)).toMatchObject({ code: 'rate_limit_exceeded', retryAfterS: 10 });
  expect(refusal(limits, noon + 59_999).retryAfterS).toBe(1);
  limits.enter(undefined, false, noon + 60_000);
  expect(limits.quotas(noon + 61_000).requests).toEqual({ limit: 2, remaining: 1, resetMs: 59_000 });
});

test('a clock that was set back does not make a minute last for hours', () => {
  const limits = limitsOf({ requests_per_minute: 1 });
  limits.enter(undefined, false, noon);
  limits.enter(undefined, false, noon - 3_600_000);
});

test('a request that did not run counts for nothing', () => {
  const limits = limitsOf({ requests_per_minute: 1, budget_usd: { day: 1 } });
  limits.enter({ usd: 1, isMost: true }).cancel();
  limits.enter();
});

test('a further attempt of the same request is not counted again', () => {
  const limits = limitsOf({ requests_per_minute: 1 });
  limits.enter();
  limits.enter(undefined, true);
  expect(limits.quotas().requests?.remaining).toBe(0);
});

test('a request is let in while the tokens are below their limit', () => {
  const limits = limitsOf({ tokens_per_minute: 1000 });
  limits.enter().settle(999, 0);
  const last = limits.enter();
  last.settle(5000, 0);
  expect(refusal(limits)).toMatchObject({
    message: 'the limit of 1000 tokens per minute is reached (tokens_per_minute of client "editor")',
  });
  expect(limits.quotas().tokens).toMatchObject({ limit: 1000, remaining: 0 });
});

test('50 requests at once overspend a budget by at most the cost of one', () => {
  const limits = limitsOf({ budget_usd: { day: 1 } });
  const holds = enterMany(limits, 50, { usd: 0.3, isMost: true });
  expect(holds).toHaveLength(4);
  // What is only reserved may become free again: the refusal is no final one.
  expect(refusal(limits)).toMatchObject({ code: 'rate_limit_exceeded', retryAfterS: 1 });
  for (const hold of holds) hold.settle(10, 0.3);
  const { spentUsd, heldUsd } = limits.state().budgets[0]!;
  expect({ spentUsd, heldUsd }).toEqual({ spentUsd: 1.2, heldUsd: 0 });
  expect(refusal(limits).code).toBe('budget_exceeded');
});

test('without an upper bound a request may cost as much as the dearest before it', () => {
  const limits = limitsOf({ budget_usd: { month: 1 } });
  limits.enter().settle(10, 0.5);
  expect(enterMany(limits, 50, { usd: 0, isMost: false })).toHaveLength(1);
});

test('where a backend has passed the bound of a request, later ones with a bound may cost as much', () => {
  const limits = limitsOf({ budget_usd: { day: 10 } });
  const bounded = { usd: 0.01, isMost: true };
  limits.enter(bounded).settle(1, 2);
  // Those that pass it are about the dearest, so 50 at once overspend what is left by the cost of one at most.
  const holds = enterMany(limits, 50, bounded);
  expect(holds).toHaveLength(4);
  for (const hold of holds) hold.settle(1, 2);
  expect(limits.state().budgets[0]!.spentUsd).toBe(10);
});

test('where backends keep to the bounds, what others have cost changes nothing', () => {
  const limits = limitsOf({ budget_usd: { day: 10 } });
  limits.enter({ usd: 5, isMost: false }).settle(1, 5);
  limits.enter({ usd: 2, isMost: true }).settle(1, 2);
  expect(enterMany(limits, 50, { usd: 1, isMost: true })).toHaveLength(3);
  const kept = new Tally();
  limitsOf({}, kept).enter().settle(1, 2);
  expect(enterMany(limitsOf({ budget_usd: { day: 3 } }, kept), 50, { usd: 0.25, isMost: true })).toHaveLength(4);
});

test('a budget that is spent is free again with the next day of this machine, or its next month', () => {
  const tally = new Tally();
  tally.restore({ time: noon, requests: 1, tokens: 0, costUsd: 1 }, noon);
  const day = limitsOf({ budget_usd: { day: 1 } }, tally);
  const refused = refusal(day, noon);
  expect(refused).toMatchObject({ code: 'budget_exceeded', retryAfterS: 12 * 3600 });
  day.enter(undefined, false, new Date(2026, 10, 24).getTime());
  const month = limitsOf({ budget_usd: { month: 1 } }, tally);
  expect(refusal(month, new Date(2026, 10, 30, 23, 59).getTime()).retryAfterS).toBe(60);
  month.enter(undefined, false, new Date(2026, 11, 1).getTime());
});

test('turns of the past count where they belong', () => {
  const tally = new Tally();
  tally.restore({ time: noon - 3 * 24 * 3600_000, requests: 1, tokens: 70, costUsd: 4 }, noon);
  tally.restore({ time: noon - 61_000, requests: 1, tokens: 70, costUsd: 1 }, noon);
  tally.restore({ time: noon - 20_000, requests: 1, tokens: 30, costUsd: 1 }, noon);
  const budget_usd = { day: 5, month: 50 };
  const limits = limitsOf({ requests_per_minute: 5, tokens_per_minute: 100, budget_usd }, tally);
  expect(limits.state(noon)).toMatchObject({
    requests: { used: 1, resetAt: noon + 40_000 },
    tokens: { used: 30 },
    budgets: [{ spentUsd: 2 }, { spentUsd: 6 }],
  });
});

test('a budget adds millionths up exactly', () => {
  const limits = limitsOf({ budget_usd: { day: 0.001 } });
  for (let each = 0; each < 1000; each++) limits.enter().settle(1, 0.000_001);
  expect(limits.state().budgets[0]!.spentUsd).toBe(0.001);
  expect(refusal(limits).code).toBe('budget_exceeded');
});

test('what is full is known without asking, and what is only held is not full', () => {
  const limits = limitsOf({ budget_usd: { day: 1 } });
  const hold = limits.enter({ usd: 2, isMost: true });
  expect(limits.full()).toBeUndefined();
  hold.settle(1, 1);
  expect(limits.full()).toMatchObject({ code: 'budget_exceeded' });
});

test('limits that are set anew know what was used before', () => {
  const tally = new Tally();
  limitsOf({ requests_per_minute: 3 }, tally).enter().settle(10, 2);
  expect(refusal(limitsOf({ budget_usd: { day: 2 } }, tally)).code).toBe('budget_exceeded');
});

test('what is held is a whole number, also after the dearest request is forgotten in part', () => {
  const tally = new Tally();
  const limits = limitsOf({ budget_usd: { day: 1 } }, tally);
  for (const usd of [0.000_000_007, 0]) limits.enter().settle(1, usd);
  limits.enter({ usd: 0, isMost: false });
  expect(tally.held.at(Date.now())).toBe(6);
});

test('an estimate below zero, or one that is no number, lifts no budget', () => {
  const limits = limitsOf({ budget_usd: { day: 1 } });
  for (const usd of [-1000, Number.NaN]) enterMany(limits, 1, { usd, isMost: true });
  expect(limits.state().budgets[0]!.heldUsd).toBe(0);
});

test('a request that did not run takes nothing from a minute that it was not counted in', () => {
  const limits = limitsOf({ requests_per_minute: 2 });
  const old = limits.enter(undefined, false, Date.now() - 60_000);
  limits.enter();
  old.cancel();
  expect(limits.quotas().requests?.remaining).toBe(1);
  const older = limitsOf({ requests_per_minute: 2 });
  older.enter(undefined, false, Date.now() - 60_000).cancel();
  expect(older.quotas().requests).toEqual({ limit: 2, remaining: 2, resetMs: 0 });
});

test('a request that may cost any sum holds no more than what is left, and nothing of the next day', () => {
  const today = new Date(2026, 10, 23, 12).getTime();
  const limits = limitsOf({ budget_usd: { day: 1 } });
  limits.enter({ usd: 0.75, isMost: true }, false, today);
  limits.enter({ usd: 1e15, isMost: true }, false, today).cancel();
  expect(limits.state(today).budgets[0]!.heldUsd).toBe(0.75);
  const tally = new Tally();
  tally.restore({ time: today, requests: 1, tokens: 0, costUsd: 0.75 }, today);
  const late = limitsOf({ budget_usd: { day: 1 } }, tally);
  late.enter({ usd: 1e15, isMost: true }, false, today);
  expect(late.state(today).budgets[0]!.heldUsd).toBe(0.25);
  expect(refusal(late, today).code).toBe('rate_limit_exceeded');
  late.enter(undefined, false, today + 24 * 3_600_000);
});

test('also where reservations become free, requests that may cost any sum overspend by one of them at most', () => {
  const limits = limitsOf({ budget_usd: { day: 10 } });
  const small = enterMany(limits, 9, { usd: 1, isMost: true });
  const big = small.flatMap((hold) => {
    const entered = enterMany(limits, 1, { usd: 1e15, isMost: true });
    hold.settle(1, 0);
    return entered;
  });
  expect(big).toHaveLength(1);
});
