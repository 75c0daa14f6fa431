import { join } from 'node:path';
import { z } from 'zod';
import { readSmallFile } from '../config/small-file';
import type { ErrorKind } from '../contract/api';
import { parseJson } from '../fields';
import type { Rest } from './rests';

export const restSchema = z.object({
  model: z.string().optional(),
  kind: z.string().transform((kind) => kind as ErrorKind),
  message: z.string(),
  since: z.number(),
  until: z.number(),
  isNamed: z.boolean(),
  failures: z.number(),
});
const fileSchema = z.object({ rests: z.record(z.string(), z.array(restSchema)) });

export function restsFile(state: string): string {
  return join(state, 'rests.json');
}

/** The rests by provider and account. A file that cannot be read counts as empty. */
export function readRests(file: string): Record<string, Rest[]> {
  const content = readSmallFile(file);
  if (content.state !== 'ok') return {};
  return fileSchema.safeParse(parseJson(content.value.toString())).data?.rests ?? {};
}
