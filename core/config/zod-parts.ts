import * as zod from 'zod';

// The bundle takes this file in place of zod, whose entry also brings the messages of fifty languages: 10 ms of each start.
// A test compares this list with what core uses.
export const z = {
  array: zod.array,
  boolean: zod.boolean,
  coerce: { number: zod.coerce.number },
  enum: zod.enum,
  fromJSONSchema: zod.fromJSONSchema,
  hash: zod.hash,
  int: zod.int,
  literal: zod.literal,
  looseObject: zod.looseObject,
  number: zod.number,
  object: zod.object,
  record: zod.record,
  strictObject: zod.strictObject,
  string: zod.string,
  toJSONSchema: zod.toJSONSchema,
  tuple: zod.tuple,
  union: zod.union,
  unknown: zod.unknown,
  url: zod.url,
};
