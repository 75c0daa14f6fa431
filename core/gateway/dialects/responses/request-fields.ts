import { z } from 'zod';

const typed = z.looseObject({ type: z.string() });

/**
 * The fields of a request whose types are checked. `null` counts as absent. Ranges are left to the vendor. Unknown
 * fields pass, and so do items and tools of unknown types: clients send mixed lists.
 */
export const requestFields = z.looseObject({
  model: z.string().nullish(),
  input: z.union([z.string(), z.array(z.looseObject({}))]).nullish(),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  tools: z.array(typed).nullish(),
  tool_choice: z.union([z.string(), typed]).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning: z.looseObject({ effort: z.string().nullish() }).nullish(),
  text: z.looseObject({ format: typed.nullish(), verbosity: z.string().nullish() }).nullish(),
  max_output_tokens: z.int().nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  previous_response_id: z.string().nullish(),
  store: z.boolean().nullish(),
  background: z.boolean().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

export type RequestFields = z.infer<typeof requestFields>;

/** The names of fields in this wire, by their names in chat completions, which drivers use. */
export const fieldNames: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'max_output_tokens'],
  ['messages', 'input'],
  ['reasoning_content', 'input.reasoning'],
  ['reasoning_effort', 'reasoning.effort'],
  ['response_format', 'text.format'],
  ['verbosity', 'text.verbosity'],
]);
