import { z } from 'zod';
import { flag, variable } from './field-types';

/** Where several machines count together what they have used; in the global file only. */
export const sharedStateSchema = z
  .strictObject({
    url_env: variable.describe(
      'Name of the environment variable with the address of a Redis or Valkey server: redis://..., or rediss:// for TLS',
    ),
    required: flag.describe(
      'Whether requests under a limit are refused (503) while the server cannot be reached; else each machine counts alone',
    ),
  })
  .describe('Limits, budgets and rests that several machines share');

export type SharedStateSettings = z.infer<typeof sharedStateSchema>;
