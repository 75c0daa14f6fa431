import { z } from 'zod';
import { amount, filledText } from './field-types';
import { nameHoldsKey } from '../contract/secrets';

/** An exact name is that of a provider; a pattern is any text without blanks that has a star. */
export const ROUTE_NAME = /^(?:[A-Za-z0-9][A-Za-z0-9._-]*|\S*\*\S*)$/;

const weightedTarget = z.strictObject({
  target: filledText.describe('A provider or a route, or PROVIDER:MODEL'),
  weight: z
    .int()
    .positive()
    .default(1)
    .describe('How often this target is asked first, compared with the others; for `order: spread`'),
});

/** One entry of `routes`. */
export const routeSchema = z.strictObject({
  name: z
    .string()
    .regex(ROUTE_NAME)
    .refine((text) => !nameHoldsKey(text), 'expected a name, and no key')
    .describe(
      'What clients ask for. No provider may have the same name. With `*`, which stands for any text, it is a pattern for the models that clients of the gateway name',
    ),
  targets: z
    .array(z.union([filledText, weightedTarget]))
    .min(1)
    .describe('Who may answer, each by its name (a provider or another route), as PROVIDER:MODEL, or with a weight'),
  order: z
    .enum(['sequence', 'spread'])
    .default('sequence')
    .describe('sequence: the first target that can answer does; spread: the targets take turns by their weights'),
  timeout_sec: amount.describe(
    'Seconds for all targets together, from the arrival of the request; 0: each target has its own limit',
  ),
});

/** The part of an entry that must be valid before files are merged. */
export const routeNameSchema = z.looseObject({ name: routeSchema.shape.name });
