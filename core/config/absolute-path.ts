import { isAbsolute } from 'node:path';
import { z } from 'zod';

/** A path that another program has sent. The system takes none with a NUL in it. */
export const absolutePath = z
  .string()
  .refine((path) => isAbsolute(path) && !path.includes('\0'), 'expected an absolute path');
