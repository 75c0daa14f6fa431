import { z } from 'zod';
import { filledText, optionalCount } from './field-types';
import { nameHoldsKey } from '../contract/secrets';
import { limitFields } from './limit-fields';
import { KEY_DIGEST, PROVIDER_NAME, variableName } from './schema';

/** One entry of `clients`. */
export const clientSchema = z.strictObject({
  name: z
    .string()
    .regex(PROVIDER_NAME)
    .refine((text) => !nameHoldsKey(text), 'expected a name, and no key')
    .describe('Name of the client, in the log, the ledger and the dashboard; once per file'),
  api_key_env: variableName
    .optional()
    .describe('Name of the environment variable with the key that the client sends; the key itself never stands here'),
  key_sha256: z
    .string()
    .regex(KEY_DIGEST)
    .optional()
    .describe('In place of api_key_env: the SHA-256 of the key, as `drivebay clients new NAME` writes it'),
  allow: z
    .array(filledText)
    .optional()
    .describe('What the client may ask for: names of providers and routes, or PROVIDER:MODEL. Absent: everything'),
  max_concurrency: optionalCount.describe(
    'How many requests of the client may run at once; 16 more wait, and the one after them is refused (429). Absent: no limit',
  ),
  ...limitFields,
});
