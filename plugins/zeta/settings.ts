import type { ChatRequest } from 'drivebay/plugin';
import type { GenerateContentConfig, ThinkingConfig, ThinkingLevel } from '@google/genai';
import { CHAT_ONLY } from '../_shared/chat-completions/request-fields';
import { isFields, type Fields } from '../_shared/fields';
import type { LeftOut } from '../_shared/http/refusals';

/** Fields that an answer can do without, by the client's names, with the vendor's. */
const SAMPLING = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  stop: 'stopSequences',
} as const;

/** The vendor would refuse these fields: sending them would cost a request. */
const WITHOUT_PLACE = new Set([...CHAT_ONLY, 'metadata', 'parallel_tool_calls', 'service_tier']);

/** The sampling settings, less what the model refuses. Their values are the vendor's to judge. */
export function toSampling(request: ChatRequest, without: LeftOut, ignored: string[]): GenerateContentConfig {
  const { extra, temperature, topP, stop } = request;
  const given: Fields = { ...extra, temperature, top_p: topP, stop };
  const config: Fields = {};
  for (const [name, native] of Object.entries(SAMPLING)) {
    if (given[name] === undefined) continue;
    if (without.has(native)) ignored.push(name);
    else config[native] = given[name];
  }
  return config;
}

/** The fields that go to the vendor as they are: its own, and those that Drivebay does not know. */
export function toExtraFields(fields: Fields, without: LeftOut, ignored: string[]): Fields {
  const extra: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    if (Object.hasOwn(SAMPLING, name) || saysNothing(name, value)) continue;
    if (WITHOUT_PLACE.has(name) || without.has(name)) ignored.push(name);
    else extra[name] = value;
  }
  return extra;
}

/** The gateway's own field, and values that ask for the default. */
function saysNothing(name: string, value: unknown): boolean {
  switch (name) {
    case 'stream_options':
      return true;
    case 'parallel_tool_calls':
      return value === true;
    case 'logprobs':
    case 'store':
      return value === false;
    case 'modalities':
      return Array.isArray(value) && value.every((each) => each === 'text');
    default:
      return false;
  }
}

/** Up to how many tokens the vendor's own mapping between the two forms of thinking means a level. */
const LEVELS: [number, string][] = [
  [1_024, 'LOW'],
  [8_192, 'MEDIUM'],
  [Infinity, 'HIGH'],
];

const WISHED_LEVELS = new Map([
  ['minimal', 'MINIMAL'],
  ['low', 'LOW'],
  ['medium', 'MEDIUM'],
]);

/** The effort of a client of another wire, in the vendor's words; such a client shows what the model thinks. */
function toWishedThinking(effort: string, without: LeftOut, ignored: string[]): ThinkingConfig | undefined {
  // Its newer models always think.
  if (effort === 'none' || without.has('thinkingConfig')) {
    ignored.push('reasoning_effort');
    return undefined;
  }
  return { thinkingLevel: (WISHED_LEVELS.get(effort) ?? 'HIGH') as ThinkingLevel, includeThoughts: true };
}

/**
 * The effort goes as it came, and alone: the vendor refuses both forms in one request. A budget goes as a level to models
 * that refuse the older form. The client's own words in the vendor's terms are more specific than either.
 */
export function toThinking(request: ChatRequest, without: LeftOut, ignored: string[]): ThinkingConfig | undefined {
  const { reasoningEffort, thinkingBudget = 0, extra } = request;
  if (isFields(extra.generationConfig) && extra.generationConfig.thinkingConfig !== undefined) return undefined;
  if (reasoningEffort && request.origin) return toWishedThinking(reasoningEffort, without, ignored);
  if (reasoningEffort) return { thinkingLevel: reasoningEffort as ThinkingLevel };
  if (thinkingBudget <= 0) return undefined;
  if (without.has('thinkingConfig')) {
    ignored.push('thinking_budget');
    return undefined;
  }
  if (!without.has('thinkingBudget')) return { thinkingBudget, includeThoughts: true };
  const level = LEVELS.find(([limit]) => thinkingBudget <= limit)![1];
  return { thinkingLevel: level as ThinkingLevel, includeThoughts: true };
}
