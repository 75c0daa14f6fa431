import type { EmbeddingRequest } from 'drivebay/plugin';
import type { Content, EmbedContentConfig } from '@google/genai';
import { isVector } from '../_shared/chat-completions/embeddings';
import { countOf, fieldsOf, listOf, textOf } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import { foreignAnswer, objectIn } from '../_shared/http/answer-reader';
import { findPieceError } from './vendor-error';

/** The vendor takes no more texts at once. */
const BATCH = 100;

/** The texts of a request, in lists that the vendor takes. Throws `invalid_request` for token numbers. */
export function toBatches({ input }: EmbeddingRequest, makeError: MakeError): Content[][] {
  const contents = input.map((text) => {
    if (typeof text === 'string') return { parts: [{ text }] };
    throw makeError('invalid_request', 'this vendor takes texts only, no token numbers', { param: 'input' });
  });
  const count = Math.ceil(contents.length / BATCH);
  return Array.from({ length: count }, (_, index) => contents.slice(index * BATCH, (index + 1) * BATCH));
}

/** The vendor's own fields pass. The names of all others are added to `ignored`. */
export function toEmbeddingConfig({ dimensions, extra }: EmbeddingRequest, ignored: string[]): EmbedContentConfig {
  const { taskType, title, ...rest } = extra;
  ignored.push(...Object.keys(rest));
  return { outputDimensionality: dimensions, taskType: textOf(taskType), title: textOf(title) };
}

export interface Batch {
  vectors: number[][];
  inputTokens: number | undefined;
}

export function readBatch(value: unknown, wanted: number, makeError: MakeError): Batch {
  const answer = objectIn(value, makeError);
  const error = findPieceError(answer, makeError);
  if (error) throw error;
  if (!Array.isArray(answer.embeddings)) throw foreignAnswer(answer, 'embeddings', 'check base_url', makeError);
  const vectors = answer.embeddings.map((entry) => listOf(fieldsOf(entry).values));
  if (vectors.length !== wanted || !vectors.every(isVector)) {
    throw makeError('protocol', `the vendor answered without a vector for each of ${wanted} texts`);
  }
  return { vectors, inputTokens: countOf(fieldsOf(answer.usageMetadata).promptTokenCount) };
}
