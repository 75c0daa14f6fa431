import { readUsage } from '../../../../plugins/_shared/chat-completions/usage';

const base = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };
const counted = { type: 'usage', inputTokens: 10, outputTokens: 4 };

test.each<[string, unknown, object | undefined]>([
  ['plain counts', base, counted],
  ['nothing', null, undefined],
  ['an empty object', {}, undefined],
  ['one count only', { prompt_tokens: 10, completion_tokens: null }, { ...counted, outputTokens: 0 }],
  [
    'details',
    {
      ...base,
      prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2, audio_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 1, audio_tokens: 2, image_tokens: 0 },
    },
    {
      ...{ ...counted, cachedInputTokens: 3, cacheWriteInputTokens: 2, reasoningTokens: 1 },
      ...{ audioInputTokens: 5, audioOutputTokens: 2, imageOutputTokens: 0 },
    },
  ],
  [
    'further details and counters',
    {
      ...base,
      prompt_tokens_details: { cached_tokens: 3, video_tokens: 5 },
      completion_tokens_details: null,
      queue_time: 0.5,
    },
    { ...counted, cachedInputTokens: 3, extra: { queue_time: 0.5, prompt_tokens_details: { video_tokens: 5 } } },
  ],
  [
    'the older names of cache hits',
    { ...base, prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 },
    { ...counted, cachedInputTokens: 6, extra: { prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 } },
  ],
  [
    'reasoning beside the output',
    { ...base, total_tokens: 108, completion_tokens_details: { reasoning_tokens: 94 } },
    { ...counted, outputTokens: 98, reasoningTokens: 94 },
  ],
  [
    'reasoning that the total alone has',
    { ...base, total_tokens: 108, prompt_tokens_details: { cached_tokens: 3 } },
    { ...counted, outputTokens: 98, reasoningTokens: 94, cachedInputTokens: 3 },
  ],
  [
    'a total with the cached input that the input leaves out',
    { ...base, total_tokens: 1014, prompt_tokens_details: { cached_tokens: 1000 } },
    { ...counted, cachedInputTokens: 1000 },
  ],
  [
    'a total that the details do not explain',
    { ...base, total_tokens: 50, completion_tokens_details: { reasoning_tokens: 4 } },
    { ...counted, reasoningTokens: 4 },
  ],
  ['what it cost', { ...base, cost: 0.01 }, { ...counted, costUsd: 0.01, extra: { cost: 0.01 } }],
  ...[
    ['the sum of its parts', { cost: { request_cost: 0.005, total_cost: 0.006 } }, 0.006],
    ['in parts of a dollar', { cost_in_usd_ticks: 232856000 }, 0.0232856],
    ["with a key of the user's own", { cost: 0.05, is_byok: true, cost_details: { upstream_inference_cost: 1 } }, 1.05],
    ['with a key of the gateway', { cost: 1, is_byok: false, cost_details: { upstream_inference_cost: 1 } }, 1],
  ].map(
    ([how, cost, costUsd]) =>
      [`what it cost, ${how as string}`, { ...base, ...(cost as object) }, { ...counted, costUsd, extra: cost }] as [
        string,
        unknown,
        object,
      ],
  ),
])('reads %s', (_, value, usage) => {
  expect(readUsage(value)).toEqual(usage);
});
