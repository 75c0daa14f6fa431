/**
 * A price list in the form of the one that the community keeps, with the prices that the vendors publish: entries as they
 * stand there, with fields that have nothing to do with prices, and the note that it begins with.
 */
export const PRICE_LIST = {
  sample_spec: {
    input_cost_per_token: 0.0,
    max_tokens: 'LEGACY parameter. set to max_output_tokens if provider specifies it.',
    mode: 'one of: chat, embedding, completion, image_generation',
    output_cost_per_token: 0.0,
  },
  'gpt-4o': {
    ...{ cache_read_input_token_cost: 1.25e-6, input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 },
    ...{ input_cost_per_token_batches: 1.25e-6, max_input_tokens: 128000, max_output_tokens: 16384, max_tokens: 16384 },
    ...{ litellm_provider: 'openai', mode: 'chat', supports_vision: true },
  },
  'gpt-4o-mini': {
    ...{ cache_read_input_token_cost: 7.5e-8, input_cost_per_token: 1.5e-7, output_cost_per_token: 6e-7 },
    ...{ max_input_tokens: 128000, max_output_tokens: 16384, max_tokens: 16384, mode: 'chat' },
  },
  'gpt-4o-audio-preview': {
    ...{ input_cost_per_audio_token: 4e-5, input_cost_per_token: 2.5e-6, max_input_tokens: 128000 },
    ...{ output_cost_per_audio_token: 8e-5, output_cost_per_token: 1e-5, max_output_tokens: 16384 },
  },
  'gpt-5': {
    ...{ cache_read_input_token_cost: 1.25e-7, input_cost_per_token: 1.25e-6, output_cost_per_token: 1e-5 },
    ...{ cache_read_input_token_cost_priority: 2.5e-7, input_cost_per_token_priority: 2.5e-6 },
    ...{ max_input_tokens: 272000, max_output_tokens: 128000, max_tokens: 128000, mode: 'chat' },
  },
  'gpt-5.4': {
    ...{ cache_read_input_token_cost: 2.5e-7, cache_read_input_token_cost_above_272k_tokens: 5e-7 },
    ...{ input_cost_per_token: 2.5e-6, input_cost_per_token_above_272k_tokens: 5e-6 },
    ...{ output_cost_per_token: 1.5e-5, output_cost_per_token_above_272k_tokens: 2.25e-5 },
    ...{ max_input_tokens: 1050000, max_output_tokens: 128000, max_tokens: 128000, mode: 'chat' },
  },
  'gpt-5.6': {
    ...{ cache_creation_input_token_cost: 5e-6, cache_creation_input_token_cost_batches: 2.5e-6 },
    ...{ cache_read_input_token_cost: 4e-7, input_cost_per_token: 4e-6, output_cost_per_token: 2e-5 },
    ...{ max_input_tokens: 922000, max_output_tokens: 128000, max_tokens: 128000, mode: 'chat' },
  },
  'claude-sonnet-4-5-20250929': {
    ...{ cache_creation_input_token_cost: 3.75e-6, cache_creation_input_token_cost_above_200k_tokens: 7.5e-6 },
    ...{
      cache_creation_input_token_cost_above_1hr: 6e-6,
      cache_creation_input_token_cost_above_1hr_above_200k_tokens: 1.2e-5,
    },
    ...{ cache_read_input_token_cost: 3e-7, cache_read_input_token_cost_above_200k_tokens: 6e-7 },
    ...{ input_cost_per_token: 3e-6, input_cost_per_token_above_200k_tokens: 6e-6 },
    ...{ output_cost_per_token: 1.5e-5, output_cost_per_token_above_200k_tokens: 2.25e-5 },
    ...{ litellm_provider: 'anthropic', max_input_tokens: 200000, max_output_tokens: 64000, max_tokens: 64000 },
    search_context_cost_per_query: { search_context_size_high: 0.01 },
  },
  'claude-haiku-4-5': {
    ...{ cache_creation_input_token_cost: 1.25e-6, cache_creation_input_token_cost_above_1hr: 2e-6 },
    ...{ cache_read_input_token_cost: 1e-7, input_cost_per_token: 1e-6, output_cost_per_token: 5e-6 },
    ...{ max_input_tokens: 200000, max_output_tokens: 64000, max_tokens: 64000 },
  },
  'gemini/gemini-2.5-pro': {
    ...{ cache_read_input_token_cost: 1.25e-7, cache_read_input_token_cost_above_200k_tokens: 2.5e-7 },
    ...{ input_cost_per_token: 1.25e-6, input_cost_per_token_above_200k_tokens: 2.5e-6 },
    ...{ output_cost_per_token: 1e-5, output_cost_per_token_above_200k_tokens: 1.5e-5 },
    ...{ max_input_tokens: 1048576, max_output_tokens: 65535, max_tokens: 65535, rpm: 2000, tpm: 800000 },
  },
  'gemini/gemini-2.5-flash': {
    ...{ cache_read_input_token_cost: 3e-8, input_cost_per_audio_token: 1e-6, input_cost_per_token: 3e-7 },
    ...{ output_cost_per_reasoning_token: 2.5e-6, output_cost_per_token: 2.5e-6, max_input_tokens: 1048576 },
  },
  'gemini/gemini-2.5-flash-image': {
    ...{ input_cost_per_token: 3e-7, output_cost_per_image: 0.039, output_cost_per_image_token: 3e-5 },
    ...{ output_cost_per_token: 2.5e-6, max_input_tokens: 32768, max_output_tokens: 32768 },
  },
  // The same model at another seller.
  'gemini-2.5-pro': { input_cost_per_token: 9e-6, output_cost_per_token: 9e-5, litellm_provider: 'vertex_ai' },
  'gemini/gemini-1.5-pro': {
    ...{ input_cost_per_token: 3.5e-6, input_cost_per_token_above_128k_tokens: 7e-6 },
    ...{ output_cost_per_token: 1.05e-5, output_cost_per_token_above_128k_tokens: 2.1e-5, max_input_tokens: 2097152 },
  },
  'deepseek/deepseek-chat': {
    ...{ cache_creation_input_token_cost: 0.0, cache_read_input_token_cost: 7e-8, input_cost_per_token: 2.7e-7 },
    ...{ input_cost_per_token_cache_hit: 7e-8, output_cost_per_token: 1.1e-6, max_input_tokens: 65536 },
  },
  'groq/llama-3.3-70b-versatile': {
    ...{ input_cost_per_token: 5.9e-7, output_cost_per_token: 7.9e-7, max_input_tokens: 128000, max_tokens: 32768 },
  },
  'openrouter/openai/gpt-4o': { input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5, max_tokens: 4096 },
  'dashscope/qwen3-max': {
    ...{ litellm_provider: 'dashscope', max_input_tokens: 258048, max_output_tokens: 65536, max_tokens: 65536 },
    tiered_pricing: [
      { range: [0, 32000], input_cost_per_token: 1.2e-6, output_cost_per_token: 6e-6 },
      { range: [32000, 128000], input_cost_per_token: 2.4e-6, output_cost_per_token: 1.2e-5 },
      { range: [128000, 252000], input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5 },
    ],
  },
  'text-embedding-3-small': {
    ...{ input_cost_per_token: 2e-8, max_input_tokens: 8191, max_tokens: 8191, mode: 'embedding' },
    ...{ output_cost_per_token: 0.0, output_vector_size: 1536 },
  },
  // A limit of 0 is one that the list does not know.
  'vercel_ai_gateway/openai/text-embedding-3-small': {
    ...{ input_cost_per_token: 2e-8, litellm_provider: 'vercel_ai_gateway', max_input_tokens: 0, max_output_tokens: 0 },
    ...{ max_tokens: 0, mode: 'chat', output_cost_per_token: 0.0 },
  },
  // A text in place of a model, as some copies of the list have it.
  updated_at: '2026-07-24T18:23:43.215560+00:00',
  'dall-e-3': { input_cost_per_image: 0.04, mode: 'image_generation' },
};
