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
  ['what it cost', { ...base, cost: 0.01 }, { ...counted, costUsd: 0.01, extra: { cost: 0.01 } }],
])('reads %s', (_, value, usage) => {
  expect(readUsage(value)).toEqual(usage);
});
