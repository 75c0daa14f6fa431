import { z } from 'zod';
import { beginsLikeKey, looksLikeKey } from '../contract/secrets';
import { amount, filledText, flag, optionalCount, optionalText, texts, variable, VARIABLE } from './field-types';
import { limitFields } from './limit-fields';
import { modelFacts } from './model-facts';
import { ONCE } from './parse-safely';
import { ROUTE_NAME } from './route-schema';
import { sharedStateSchema } from './shared-state-schema';

export const PROVIDER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** Of a client: 32 bytes in hex. */
export const KEY_DIGEST = /^[0-9a-fA-F]{64}$/;

/** In the manifest of a plug-in. */
export const DRIVER_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
export const MODULE_PATH = /^\.\//;

/** The meanings of patterns, for messages. */
export const patternMeanings: ReadonlyMap<string, string> = new Map([
  [PROVIDER_NAME.source, 'a name of letters, digits, ".", "_" and "-" that starts with a letter or a digit'],
  [
    ROUTE_NAME.source,
    'a name of letters, digits, ".", "_" and "-" that starts with a letter or a digit, or a pattern with "*"',
  ],
  [
    VARIABLE.source,
    'the NAME of an environment variable (letters, digits and "_"); keys are never stored in config files',
  ],
  [KEY_DIGEST.source, 'a SHA-256 in hex, which has 64 digits; the key itself never stands in this file'],
  [DRIVER_NAME.source, 'a name of lower-case words joined by hyphens'],
  [MODULE_PATH.source, 'a path that starts with "./"'],
]);

export const commonSchema = z.object({
  name: z
    .string()
    .regex(PROVIDER_NAME)
    .refine((text) => !looksLikeKey(text), 'expected a name, and no key')
    .describe(
      'Name of the provider, once per file: letters, digits, ".", "_" and "-"; it becomes the device /dev/llm/<name>',
    ),
  driver: filledText.describe(
    'The driver that serves this provider, by its name or an alias; `drivebay plugins list` names all',
  ),
  default_model: z
    .string()
    .refine((text) => !beginsLikeKey(text), 'expected the name of a model, and no key')
    .optional()
    .describe(
      'Model to use when a request names none; without it a program takes its own, and elsewhere the request must say PROVIDER:MODEL',
    ),
  list_models: flag.describe(
    'Whether GET /v1/models of the gateway lists every model that the provider offers, as PROVIDER:MODEL; else its default_model alone',
  ),
  mode: z
    .enum(['stream', 'call'])
    .default('stream')
    .describe('stream: the answer arrives in pieces; call: it is asked for in one piece, for streamed requests, too'),
  max_tokens: amount.describe('Most output tokens, for requests that do not say; 0 leaves it to the backend'),
  cost_per_token: z
    .number()
    .min(0)
    .default(0)
    .describe(
      'US dollars per token, input and output alike, for answers of which nothing else says the price; 0 counts no cost',
    ),
  price_table: optionalText.describe(
    'File with the prices and context windows of many models, for this provider in place of the one at the top; empty: none',
  ),
  timeout_sec: amount.describe(
    'Seconds that one request may take, from its arrival, queue included; 0 is 300 where a program is run, else 600 for a stream and 290 for an answer in one piece',
  ),
  models: z
    .record(z.string(), modelFacts)
    .default({})
    .describe('Facts about models by model name: context windows and prices'),
  max_concurrency: optionalCount.describe(
    'How many requests may run at once; 16 more wait, the next is refused (429). Absent: 4 where a program is run, else no limit',
  ),
  ...limitFields,
});

export type CommonSettings = z.infer<typeof commonSchema>;

export const commonOptions: Record<string, z.ZodType> = commonSchema.shape;

// Made once, as `zodOf` tells.
const defaultsSchema = commonSchema.omit({ name: true, driver: true });

export function commonDefaults(): Omit<CommonSettings, 'name' | 'driver'> {
  return defaultsSchema.parse({}, ONCE);
}

/** Many keys are also valid variable names. */
export const variableName = variable.refine((text) => !looksLikeKey(text));

/** Options whose type core knows. A driver accepts one by naming it in its manifest. */
export const sharedOptions: Record<string, z.ZodType> = {
  base_url: z.url({ protocol: /^https?$/ }).describe('Where the server is, for example http://127.0.0.1:8000/v1'),
  api_key_env: variableName
    .meta({ guarded: true })
    .describe('Name of the environment variable that holds the API key; the key itself never stands in this file'),
  command: filledText.meta({ guarded: true }).describe('Program to run: a name to look for on the PATH, or a path'),
  extra_args: texts.meta({ guarded: true }).describe('Further arguments for the program, in this order'),
  grace_sec: z
    .int()
    .min(0)
    .describe(
      'Seconds between the polite signal and the final one when the program must stop; 0 is the default of the driver',
    ),
  embedding_model: z.string().describe('Model to use for embeddings when a request names none'),
  thinking_budget: z.int().min(0).describe('Tokens that the model may think with; 0 switches it off'),
  reasoning_effort: z
    .string()
    .describe('How hard the model should think, passed on as it is; empty is its own default'),
  gateway_tools: z
    .boolean()
    .meta({ guarded: true })
    .describe('Whether the program may use its own tools in calls that come through the gateway'),
};

const entries = z.array(z.unknown()).optional();

/** The file without its entries. Each entry is checked alone, so that a broken entry does not hide the others. */
export const fileSchema = z
  .strictObject({
    version: z.literal(['1', 1]).optional().describe('Version of this file format: "1"'),
    default_provider: optionalText.describe('Name of the provider or route to use when nothing else names one'),
    price_table: optionalText.describe(
      'File with the prices and context windows of many models: the JSON that LiteLLM publishes',
    ),
    providers: entries.describe('The providers; each has a name and a driver'),
    shared_state: sharedStateSchema.optional(),
    routes: entries.describe('Names that lead to several providers; each has a name and targets'),
    clients: entries.describe(
      'Who may ask the gateway, each with a name and a key of its own; in your own file only. Absent: no key is needed',
    ),
  })
  .describe('Drivebay providers');

/** The part of an entry that must be valid before the other options can be checked. */
export const entrySchema = z.looseObject({
  name: z.string().regex(PROVIDER_NAME),
  driver: filledText.optional(),
});
