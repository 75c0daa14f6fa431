import type { EmbeddingAnswer, EmbeddingRequest } from 'drivebay/plugin';
import { countOf, fieldsOf, isFields, listOf, numberOf, textOf, type Fields } from '../fields';
import type { MakeError } from '../http/explain-error';
import { foreignAnswer, objectIn } from '../http/answer-reader';
import { findAnswerError } from './answer-error';
import { costOf } from './usage';

export function toEmbeddingFields({ model, input, dimensions, extra }: EmbeddingRequest): Fields {
  return { ...extra, model, input, dimensions };
}

/** Reads an answer of numbers or of base64: servers give either, whatever they are asked for. */
export function readEmbeddings(value: unknown, wanted: number, makeError: MakeError): EmbeddingAnswer {
  const answer = objectIn(value, makeError);
  const error = findAnswerError(answer, makeError);
  if (error) throw error;
  if (!Array.isArray(answer.data)) {
    throw foreignAnswer(answer, 'data', 'check base_url: does the server make embeddings?', makeError);
  }
  const entries = answer.data.map(fieldsOf);
  if (entries.length !== wanted) {
    throw makeError('protocol', `the server answered with ${entries.length} vectors for ${wanted} inputs`);
  }
  const usage = fieldsOf(answer.usage);
  return {
    vectors: inOrder(entries).map(({ embedding }) => readVector(embedding, makeError)),
    model: textOf(answer.model),
    inputTokens: countOf(usage.prompt_tokens) ?? countOf(usage.total_tokens),
    costUsd: costOf(usage),
  };
}

/** Some servers number every entry 0: only a whole numbering counts. */
function inOrder(entries: Fields[]): Fields[] {
  const places = new Set(entries.map(({ index }) => index));
  if (!entries.every((_, place) => places.has(place))) return entries;
  return entries.toSorted((one, other) => (one.index as number) - (other.index as number));
}

function readVector(embedding: unknown, makeError: MakeError): number[] {
  const values = typeof embedding === 'string' ? fromBase64(embedding) : listOf(embedding);
  if (isVector(values)) return values;
  const found = Array.isArray(values[0]) ? 'a vector for each token' : 'no vector';
  throw makeError('protocol', `the server answered with ${found} where one vector for each input is expected`, {
    hint: isFields(embedding) ? undefined : 'does this model make embeddings, with pooling?',
  });
}

export function isVector(values: unknown[]): values is number[] {
  return values.length > 0 && values.every((value) => numberOf(value) !== undefined);
}

/** Little-endian numbers of 32 bits each; none where the text holds something else. */
function fromBase64(text: string): number[] {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length % 4 > 0) return [];
  // Twice as fast as the methods of Buffer.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const numbers = new Array<number>(bytes.length / 4);
  for (let index = 0; index < numbers.length; index += 1) numbers[index] = view.getFloat32(index * 4, true);
  return numbers;
}
