import type { ChatRequest } from 'drivebay/plugin';
import type { GenerateContentConfig } from '@google/genai';
import type { Fields } from '../_shared/fields';
import type { ModelMemory } from './model-memory';

/** Fields that an answer can do without, by the client's names, with the vendor's. */
export const SAMPLING = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  stop: 'stopSequences',
} as const;

/** `known` holds those that the contract has no name for. Values are the vendor's business. */
export function toSampling(
  { temperature, topP, stop }: ChatRequest,
  known: Fields,
  memory: ModelMemory,
  ignored: string[],
): GenerateContentConfig {
  const given: Fields = { ...known, temperature, top_p: topP, stop };
  const config: Fields = {};
  for (const [name, native] of Object.entries(SAMPLING)) {
    if (given[name] === undefined) continue;
    if (memory.fields.has(name)) ignored.push(name);
    else config[native] = given[name];
  }
  return config;
}
