import type { DriverFailure } from 'drivebay/plugin';
import { isFields, textOf } from '../_shared/fields';

/** A field that the vendor does not take, as it says itself. */
export interface Refusal {
  field: string;
  /** Whether another value of the field might be taken. */
  isAboutValue: boolean;
}

const REFUSING_STATUS = new Set<number | undefined>([400, 422]);
const REFUSING_CODES = new Set<unknown>(['unsupported_parameter', 'unsupported_value', 'unknown_parameter']);
const REFUSING_WORDS =
  /unsupported|not supported|does(n't| not) support|unrecognized|unknown (parameter|argument|field)|not (permitted|compatible|allowed)|extra inputs/i;
const NAMED =
  /(?:argument|arguments supplied|argument supplied|parameter|field|value)s?(?::\s*['"`]?|\s+['"`])([a-z_]+)/i;

/** The field that the vendor refuses to know; undefined for every other error, a bad value included. */
export function readRefusal({ status, message, answer }: DriverFailure): Refusal | undefined {
  if (!REFUSING_STATUS.has(status)) return undefined;
  const error = isFields(answer) && isFields(answer.error) ? answer.error : {};
  if (!REFUSING_CODES.has(error.code) && !REFUSING_WORDS.test(message)) return undefined;
  const name = textOf(error.param) ?? NAMED.exec(message)?.[1];
  const field = name?.split(/[.[]/, 1)[0];
  return field ? { field, isAboutValue: /supported values/i.test(message) } : undefined;
}
