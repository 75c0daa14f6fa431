import { isAbsolute } from 'node:path';
import { z } from 'zod';

// Types of several fields. Each field adds with `describe` what it is for.

/** The name of an environment variable. */
export const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const variable = z.string().regex(VARIABLE);

export const filledText = z.string().min(1);
export const optionalText = z.string().optional();
export const texts = z.array(z.string());
export const noTexts = texts.default([]);

/** An object of any kind, such as a JSON Schema. */
export const anyFields = z.record(z.string(), z.unknown());

export const flag = z.boolean().default(false);
export const optionalCount = z.int().positive().optional();
/** 0 is the default. */
export const amount = z.int().min(0).default(0);

/** A path from another program. The system refuses a path with a NUL. */
export const absolutePath = z
  .string()
  .refine((path) => isAbsolute(path) && !path.includes('\0'), 'expected an absolute path');
