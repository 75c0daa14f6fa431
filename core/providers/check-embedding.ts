import type { EmbeddingAnswer } from '../contract/api';
import { isFields } from '../fields';

/**
 * Finds what would break an answer: plug-ins are not compiled against the contract, and pass on the words of a backend.
 * Throws an Error for the plug-in's author.
 */
export function checkEmbedding(answer: EmbeddingAnswer, wanted: number): void {
  const vectors = isFields(answer) ? answer.vectors : undefined;
  if (!Array.isArray(vectors)) throw invalid('an object with `vectors`, a list of lists of numbers');
  if (vectors.length !== wanted) throw invalid(`one vector for each input: ${wanted}, not ${vectors.length}`);
  for (const [index, vector] of vectors.entries()) {
    if (!Array.isArray(vector) || vector.length === 0) throw invalid(`a list of numbers as vector ${index}`);
    if (!vector.every(Number.isFinite)) throw invalid(`numbers only in vector ${index}`);
    if (vector.length !== vectors[0]!.length) throw invalid(`vectors of one length, as vector ${index} has another`);
  }
  const { model, ignored } = answer;
  if (model !== undefined && typeof model !== 'string') throw invalid('a text as the model');
  for (const name of ['inputTokens', 'costUsd'] as const) {
    const count = answer[name];
    if (count !== undefined && !(Number.isFinite(count) && count >= 0)) throw invalid(`a number from 0 as ${name}`);
  }
  if (ignored !== undefined && !(Array.isArray(ignored) && ignored.every((name) => typeof name === 'string'))) {
    throw invalid('names of fields in `ignored`');
  }
}

function invalid(wanted: string): Error {
  return new TypeError(`its embed() has to resolve with ${wanted}`);
}
