import { isFields, type Fields } from '../fields';
import type { MakeError } from './explain-error';

const QUOTE_LENGTH = 200;

/** The object in the data of one server-sent event. */
export function parsePiece(data: string, makeError: MakeError): Fields {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (error) {
    throw makeError('protocol', `a piece of the stream is not JSON: ${data.slice(0, QUOTE_LENGTH)}`, { cause: error });
  }
  if (isFields(value)) return value;
  throw makeError('protocol', `a piece of the stream is no JSON object: ${data.slice(0, QUOTE_LENGTH)}`);
}
