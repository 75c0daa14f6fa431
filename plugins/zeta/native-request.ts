import type { ChatRequest, DriverContext } from 'drivebay/plugin';
import type { GenerateContentConfig, GenerateContentParameters } from '@google/genai';
import { isFields, type Fields } from '../_shared/fields';
import { ConversationBuilder, type Conversation, type Signatures } from './contents';
import { splitExtra } from './extra-fields';
import type { ModelMemory } from './model-memory';
import { toSampling } from './sampling';
import { toThinkingConfig } from './thinking';
import { toCallingConfig, toNativeTools } from './tools';

/** A request in the vendor's terms. */
export interface NativeRequest {
  parameters: GenerateContentParameters;
  /** Fields for the vendor that are not ours to understand. */
  extra: Fields;
  /** Request fields that have no effect. */
  ignored: string[];
}

/** Translates a request, less what the model is known to refuse. Throws `invalid_request` for what cannot be sent. */
export function toNativeRequest(
  request: ChatRequest,
  memory: ModelMemory,
  signatures: Signatures,
  makeError: DriverContext['error'],
): NativeRequest {
  const ignored: string[] = [];
  const { known, extra } = splitExtra(request.extra, memory, ignored);
  const conversation = new ConversationBuilder(signatures, makeError).build(request.messages);
  const { system, contents } = placeSystem(conversation, memory);
  if (request.messages.some(({ parts }) => parts.some(({ type }) => type === 'reasoning'))) {
    ignored.push('reasoning_content');
  }
  const config: GenerateContentConfig = {
    ...toSampling(request, known, memory, ignored),
    ...toFormat(request, makeError),
  };
  if (system.length > 0) config.systemInstruction = { parts: system };
  if (request.maxTokens !== undefined) config.maxOutputTokens = request.maxTokens;
  if (request.choices !== undefined && request.choices > 1) config.candidateCount = request.choices;
  addThinking(config, request, extra, memory, ignored);
  const tools = toNativeTools(request.tools, ignored);
  if (tools) config.tools = tools;
  const functionCallingConfig = toCallingConfig(request, makeError);
  if (functionCallingConfig) config.toolConfig = { functionCallingConfig };
  return { parameters: { model: request.model ?? '', contents, config }, extra, ignored };
}

/** What the client says in the vendor's own terms is more specific than anything that we would say. */
function addThinking(
  config: GenerateContentConfig,
  request: ChatRequest,
  { generationConfig }: Fields,
  memory: ModelMemory,
  ignored: string[],
): void {
  if (isFields(generationConfig) && generationConfig.thinkingConfig !== undefined) return;
  const thinkingConfig = toThinkingConfig(request, memory);
  if (thinkingConfig) config.thinkingConfig = thinkingConfig;
  else if (request.thinkingBudget) ignored.push('thinking_budget');
}

/** Where the model takes no instruction, or there is nothing else, what it would say is the first thing the user says. */
function placeSystem({ system, contents }: Conversation, { takesSystem }: ModelMemory): Conversation {
  if (system.length === 0 || (takesSystem && contents.length > 0)) {
    // The SDK refuses an empty list, the vendor an empty text: its word is the one to hear.
    return { system, contents: contents.length > 0 ? contents : [{ role: 'user', parts: [{ text: '' }] }] };
  }
  const [first, ...rest] = contents;
  if (first?.role !== 'user') return { system: [], contents: [{ role: 'user', parts: system }, ...contents] };
  return { system: [], contents: [{ role: 'user', parts: [...system, ...(first.parts ?? [])] }, ...rest] };
}

function toFormat({ responseFormat: format }: ChatRequest, makeError: DriverContext['error']): GenerateContentConfig {
  if (!format || format.type === 'text') return {};
  if (format.type === 'other') {
    throw makeError('invalid_request', 'response_format must be text, json_object or json_schema for this vendor', {
      param: 'response_format',
    });
  }
  const schema = format.type === 'json_schema' ? format.schema : undefined;
  return { responseMimeType: 'application/json', ...(schema && { responseJsonSchema: schema }) };
}
