import { z } from 'zod';
import type { EmbeddingRequest } from '../../../../contract/api';
import { invalidRequest, readFields, wrongField } from '../../../read-fields';
import { unreadFields } from '../parse-message';

/** Clients cut their texts into lists of this length. */
const MOST_INPUTS = 2048;

/** The fields whose types are checked. `null` counts as absent. Unknown fields pass. */
export const embeddingFields = z.looseObject({
  model: z.string().min(1),
  input: z.unknown(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.number().refine(Number.isInteger).meta({ type: 'integer' }).nullish(),
  user: z.string().nullish(),
});

interface ParsedEmbedding {
  /** The model as the client named it. The answer repeats it. */
  requestedModel: string;
  /** Whether the vectors are to be spelled in base64. */
  isBase64: boolean;
  /** The request for the device, without its model: routing sets it. */
  request: EmbeddingRequest;
}

const READ: ReadonlySet<string> = new Set(['model', 'input', 'encoding_format', 'dimensions']);

/** Reads a request body. Throws an HttpError that names the field at fault. */
export function parseEmbedding(body: Buffer): ParsedEmbedding {
  const fields = readFields(embeddingFields, body);
  const { model, input, encoding_format, dimensions } = fields;
  const request: EmbeddingRequest = {
    input: inputsOf(input),
    extra: unreadFields(fields, (name) => READ.has(name)) ?? {},
  };
  if (dimensions != null) request.dimensions = dimensions;
  return { requestedModel: model, isBase64: encoding_format === 'base64', request };
}

/** By hand, because a list may hold a hundred thousand numbers. */
function inputsOf(input: unknown): string[] | number[][] {
  if (typeof input === 'string' && input !== '') return [input];
  if (!Array.isArray(input) || input.length === 0)
    throw wrongField('input', input, 'a text, or a list that is not empty');
  const entries = input as unknown[];
  if (entries.every(isToken)) return [entries];
  if (entries.length > MOST_INPUTS) {
    throw invalidRequest(`input: found ${entries.length} entries, expected at most ${MOST_INPUTS}`, 'input');
  }
  const [first] = entries;
  const isEntry = typeof first === 'string' ? isText : isTokens;
  const wrong = entries.findIndex((entry) => !isEntry(entry));
  if (wrong < 0) return entries as string[] | number[][];
  const expected = isEntry === isText ? 'a text, as the first entry' : 'a text, or a list of token numbers';
  throw wrongField(`input[${wrong}]`, entries[wrong], expected);
}

const isText = (entry: unknown): entry is string => typeof entry === 'string';

const isToken = (entry: unknown): entry is number => Number.isInteger(entry);

const isTokens = (entry: unknown): entry is number[] =>
  Array.isArray(entry) && entry.length > 0 && entry.every(isToken);
