import { z } from 'zod';

// Not z.int(), which ends at 2^53, because seeds have 64 bits.
const whole = z.number().refine(Number.isInteger).meta({ type: 'integer' });

/**
 * The fields of a chat request whose types are checked. `null` counts as absent. Ranges are left to the vendor. Unknown
 * fields pass.
 */
export const requestFields = z.looseObject({
  model: z.string().min(1),
  messages: z.array(z.unknown()).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  max_tokens: whole.nullish(),
  max_completion_tokens: whole.nullish(),
  n: whole.nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  tools: z.array(z.looseObject({ type: z.string() })).nullish(),
  tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]).nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  reasoning_effort: z.string().nullish(),
  seed: whole.nullish(),
  frequency_penalty: z.number().nullish(),
  presence_penalty: z.number().nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: whole.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  user: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  store: z.boolean().nullish(),
  service_tier: z.string().nullish(),
  verbosity: z.string().nullish(),
  modalities: z.array(z.string()).nullish(),
});

export type RequestFields = z.infer<typeof requestFields>;
