import type { ChatRequest } from '../../core/contract/api';
import type { PriceTable } from '../../core/prices/price-table';
import { ContextWindows, type PriceOptions, Prices } from '../../core/prices/prices';
import type { Rates } from '../../core/prices/rates';
import { readTable } from '../../core/prices/read-table';
import { inputAtMost } from '../../core/prices/weigh-request';
import { addTurn, NO_TURNS } from '../../core/record/usage';
import { PRICE_LIST } from './price-list';

async function tableOf(list: Record<string, unknown> = PRICE_LIST): Promise<Pick<PriceTable, 'find' | 'reading'>> {
  const models = await readTable(list);
  return { reading: undefined, find: (key) => models.get(key) };
}

const pricesOf = (options: Partial<PriceOptions> = {}) =>
  new Prices({ models: new Map(), table: undefined, sellers: [], costPerToken: 0, ...options });

const withTable = async (more: Partial<PriceOptions> = {}) =>
  pricesOf({ table: (await tableOf()) as PriceTable, ...more });

const ask = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  ...{ stream: true, extra: {} },
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'x'.repeat(984) }] }],
  ...more,
});

test('what a subscription pays is nominal, whatever the source of its price', async () => {
  const prices = await withTable();
  const usage = { inputTokens: 1000, outputTokens: 100, nominal: true };
  expect(prices.costOf({ ...usage, costUsd: 0.5 }, ['gpt-4o'])).toEqual({
    ...{ costUsd: 0, nominalUsd: 0.5, priced: 'backend' },
  });
  expect(prices.costOf(usage, ['gpt-4o'])).toEqual({ costUsd: 0, nominalUsd: 0.0035, priced: 'table' });
});

test('a backend that says that it costs nothing is believed', async () => {
  const cost = (await withTable()).costOf({ inputTokens: 1000, outputTokens: 100, costUsd: 0 }, ['gpt-4o']);
  expect(cost).toEqual({ costUsd: 0, priced: 'backend' });
});

test('cached input costs as other input where its price is not known, and counts that cannot be are cut', () => {
  const prices = pricesOf({ models: new Map([['m', { input: 1, output: 10, cachedInput: 0.5 }]]) });
  const costOf = (usage: object) => prices.costOf({ inputTokens: 1e6, outputTokens: 0, ...usage }, ['m']).costUsd;
  expect(costOf({ cacheWriteInputTokens: 1e6 })).toBe(1);
  expect(costOf({ cachedInputTokens: 5e6, cacheWriteInputTokens: 5e6, reasoningTokens: 7 })).toBe(0.5);
});

test('sounds and pictures cost as text where they have no price, and more of them than there are tokens are cut', () => {
  const speaks = { input: 1, output: 10, audioInput: 2, audioOutput: 20, imageOutput: 30 };
  const prices = pricesOf({
    models: new Map<string, Rates>([
      ['m', speaks],
      ['text', { input: 1, output: 10 }],
    ]),
  });
  const counts = { audioInputTokens: 7e6, reasoningTokens: 4e5, audioOutputTokens: 5e5, imageOutputTokens: 7e6 };
  const usage = { inputTokens: 1e6, outputTokens: 1e6, cachedInputTokens: 6e5, ...counts };
  expect(prices.costOf(usage, ['m']).costUsd).toBe(0.6 + 0.4 * 2 + 0.4 * 10 + 0.5 * 20 + 0.1 * 30);
  expect(prices.costOf(usage, ['text']).costUsd).toBe(11);
});

test('the name that the backend answers with comes before the one that was asked for', () => {
  const models = new Map([
    ['asked', { input: 1, output: 1 }],
    ['real', { input: 2, output: 2 }],
  ]);
  const usage = { inputTokens: 1e6, outputTokens: 0 };
  expect(pricesOf({ models }).costOf(usage, ['real', 'asked']).costUsd).toBe(2);
  expect(pricesOf({ models }).costOf(usage, [undefined, 'asked']).costUsd).toBe(1);
});

test.each([
  ['entries that are none', { a: null, b: [], c: 'x', d: { mode: 'chat' }, e: { input_cost_per_token: -1 } }],
  ['numbers beyond all numbers', { a: { input_cost_per_token: 1e308 } }],
  ['numbers that are none', { a: { input_cost_per_token: 'free', output_cost_per_token: Number.NaN } }],
])('%s have no price', async (_, list) => {
  expect((await readTable(list)).size).toBe(0);
});

test('numbers as texts are read, and a range without an output price has that of the model', async () => {
  const list = {
    m: {
      output_cost_per_token: '6e-6',
      tiered_pricing: [
        { range: [1000, 2000], input_cost_per_token: 3e-6 },
        { range: [0, 1000], input_cost_per_token: '1e-6', cache_read_input_token_cost: 1e-7 },
        { range: 'wrong' },
      ],
    },
  };
  const prices = pricesOf({ table: (await tableOf(list)) as PriceTable });
  const costOf = (inputTokens: number) => prices.costOf({ inputTokens, outputTokens: 1 }, ['m']).costUsd;
  expect([costOf(1000), costOf(1001)]).toEqual([0.001006, 0.003009]);
});

test('context windows are those of the configuration, then those of the table', async () => {
  const prices = await withTable({ sellers: ['groq'] });
  const windows = new ContextWindows([['gpt-4o', 5]], prices);
  expect([windows.get('gpt-4o'), windows.get('llama-3.3-70b-versatile'), windows.get('none')]).toEqual([
    ...[5, 128000, undefined],
  ]);
  expect([...windows]).toEqual([['gpt-4o', 5]]);
});

describe('an estimate is rather too much', () => {
  const estimate = (prices: Prices, request: ChatRequest, model: string, longest?: number) =>
    prices.estimate([model], inputAtMost(request), request.choices ?? 1, longest);

  test('by the length of the request and the longest answer', async () => {
    const prices = await withTable();
    // 984 bytes are at most 492 tokens, and a message has 8 more.
    expect(estimate(prices, ask({ choices: 2 }), 'gpt-4o', 1000)).toEqual({ usd: 0.02125, isMost: true });
  });

  test('a write to the cache may be dearer than input, and a long context than a short one', async () => {
    const prices = await withTable();
    const long = ask({ messages: [{ role: 'user', parts: [{ type: 'text', text: 'x'.repeat(600_000) }] }] });
    expect(estimate(prices, long, 'claude-sonnet-4-5-20250929', 1).usd).toBeCloseTo(300_008 * 12e-6 + 22.5e-6, 12);
  });

  test.each([
    ['no longest answer', { isMost: false, usd: 0.08317 }, undefined],
    ['one', { isMost: true, usd: 0.00126 }, 1],
  ])('with %s', async (_, expected, most) => {
    expect(estimate(await withTable(), ask(), 'gpt-4o', most)).toEqual(expected);
  });

  test('a longest answer below one token is none', async () => {
    const prices = await withTable();
    expect(estimate(prices, ask(), 'gpt-4o', -1_000_000)).toEqual(estimate(prices, ask(), 'gpt-4o'));
  });

  test('an answer may be all sound', async () => {
    const { usd } = estimate(await withTable(), ask(), 'gpt-4o-audio-preview', 1000);
    expect(usd).toBeCloseTo(500 * 2.5e-6 + 1000 * 8e-5, 12);
  });

  test('tools, the form of the answer, images and files count', () => {
    const prices = pricesOf({ costPerToken: 1 });
    const tokensOf = (more: Partial<ChatRequest>) => estimate(prices, ask(more), 'm', 1).usd - 501;
    expect(tokensOf({ tools: [{ name: 'f', parameters: { type: 'object' } }] })).toBe(22);
    expect(tokensOf({ responseFormat: { type: 'json_object' } })).toBe(11);
    const image = { type: 'image', url: `data:image/png;base64,${'A'.repeat(1e6)}` } as const;
    const file = { type: 'file', data: 'A'.repeat(200_000) } as const;
    expect(tokensOf({ messages: [{ role: 'user', parts: [image, file] }] })).toBe(5000 + 10_000 + 8 - 500);
  });

  test('without a price nothing is known', () => {
    expect(estimate(pricesOf(), ask(), 'm', 1)).toEqual({ usd: 0, isMost: false });
  });
});

test('sums of many small costs do not drift', () => {
  let totals = NO_TURNS;
  const turn = { ok: true, costUsd: 0.00000885, nominalUsd: 0.1 };
  for (let count = 0; count < 100_000; count += 1) totals = addTurn(totals, turn);
  expect([totals.costUsd, totals.nominalUsd]).toEqual([0.885, 10_000]);
});

// An agent at work asks its model many times, each time with less than the sum.
test('the average input of several requests decides the price of a long context', async () => {
  const prices = await withTable();
  const cost = (requests?: number) =>
    prices.costOf({ inputTokens: 600_000, outputTokens: 1000, requests }, ['gpt-5.4']).costUsd;
  // 600,000 x 2.50 + 1,000 x 15, and above 272k 600,000 x 5 + 1,000 x 22.50.
  expect([cost(), cost(2), cost(3), cost(0)]).toEqual([3.0225, 3.0225, 1.515, 3.0225]);
});
