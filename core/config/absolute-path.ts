import { isAbsolute } from 'node:path';
import { z } from 'zod';

/** A path from another program. The system refuses a path with a NUL. */
export const absolutePath = z
  .string()
  .refine((path) => isAbsolute(path) && !path.includes('\0'), 'expected an absolute path');
