import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { describeFound, REQUEST_WORDS } from '../config/describe-found';
import { explainJson } from '../config/explain-issue';
import { parseSafely } from '../config/parse-safely';
import { isTooDeep, MOST_LEVELS } from '../http/nesting';
import type { HttpError } from '../serving/http-error';
import { gatewayError } from './to-http-error';

/** What some programs write in front of a text in UTF-8. */
const MARK = '\uFEFF';
/** Without a word the model would read it in place of each letter that is no ASCII, as in a request of an old PowerShell. */
const REPLACEMENT = '\uFFFD';

/** Reads a body as JSON that fits a schema. Throws an HttpError that names the field at fault. */
export function readFields<Schema extends z.ZodType>(schema: Schema, body: Buffer): z.output<Schema> {
  return checkFields(schema, readJson(body));
}

/** Reads a body as JSON that recursive code may touch. */
export function readJson(body: Buffer): unknown {
  let value: unknown;
  const text = body.toString();
  // Speed: without the character that stands for what is not UTF-8, there is nothing to look for.
  if (text.includes(REPLACEMENT) && !isUtf8(body)) {
    throw invalidRequest(
      'the body is not UTF-8: send the JSON in UTF-8, also where Content-Type names another charset',
    );
  }
  try {
    value = JSON.parse(text.startsWith(MARK) ? text.slice(MARK.length) : text);
  } catch {
    throw invalidRequest(body.length === 0 ? 'the request has no body' : 'the body is not valid JSON');
  }
  if (isTooDeep(value)) throw invalidRequest(`the body is nested deeper than ${MOST_LEVELS} levels`);
  return value;
}

/** The fields of a body, in the order of the schema. Throws an HttpError that names the field at fault. */
export function checkFields<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, error } = parseSafely(schema, value);
  if (!error) return data;
  const [first] = explainJson(schema, value, error.issues, REQUEST_WORDS);
  if (!first || first.path.length === 0) throw invalidRequest('the body must be a JSON object');
  const steps = first.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  const param = steps.join('').slice(1);
  throw invalidRequest(`${param}: ${first.message}`, param);
}

export function invalidRequest(message: string, param?: string): HttpError {
  return gatewayError('invalid_request', message, { param });
}

/** Says what was found in a request where something else is expected. Texts are not repeated: they are prompts. */
export function wrongField(path: string, found: unknown, expected: string): HttpError {
  return invalidRequest(`${path}: found ${describeFound(found, REQUEST_WORDS)}, expected ${expected}`, path);
}
