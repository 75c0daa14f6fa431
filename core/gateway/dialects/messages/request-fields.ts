import { z } from 'zod';

const whole = z.number().refine(Number.isInteger).meta({ type: 'integer' });
const textOrBlocks = z.union([z.string(), z.array(z.unknown())]);

const shared = {
  model: z.string().nullish(),
  messages: z.array(z.looseObject({ role: z.string(), content: textOrBlocks.nullish() })).min(1),
  system: textOrBlocks.nullish(),
  tools: z.array(z.looseObject({ type: z.string().nullish(), name: z.string().nullish() })).nullish(),
  tool_choice: z.looseObject({ type: z.string() }).nullish(),
  thinking: z.looseObject({ type: z.string() }).nullish(),
  output_config: z.looseObject({ effort: z.string().nullish(), format: z.looseObject({}).nullish() }).nullish(),
  /** Older SDKs say `output_config.format` so. */
  output_format: z.looseObject({}).nullish(),
};

/**
 * The fields of a message request whose types are checked. `null` counts as absent. Ranges are left to the vendor. Unknown
 * fields pass.
 */
export const requestFields = z.looseObject({
  ...shared,
  max_tokens: whole,
  stream: z.boolean().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: whole.nullish(),
  metadata: z.looseObject({}).nullish(),
});

export type RequestFields = z.infer<typeof requestFields>;

/** The names of fields in this wire, by their names in chat completions, which drivers use. */
export const fieldNames: ReadonlyMap<string, string> = new Map([
  ['parallel_tool_calls', 'tool_choice.disable_parallel_tool_use'],
  ['reasoning_content', 'messages.thinking'],
  ['reasoning_effort', 'output_config.effort'],
  ['response_format', 'output_config.format'],
  ['stop', 'stop_sequences'],
]);

/** The same where the effort follows from a budget. */
export const namesWithBudget: typeof fieldNames = new Map([...fieldNames, ['reasoning_effort', 'thinking']]);
