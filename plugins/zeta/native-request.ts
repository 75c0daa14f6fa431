import type { ChatRequest } from 'drivebay/plugin';
import type { GenerateContentConfig, GenerateContentParameters } from '@google/genai';
import { isFields, type Fields } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import { hasReasoning, refuseOldTools } from '../_shared/http/message-parts';
import type { LeftOut } from '../_shared/http/refusals';
import { ConversationBuilder, type Conversation, type Signatures } from './contents';
import { toExtraFields, toSampling, toThinking } from './settings';
import { toCallingConfig, toNativeTools } from './tools';

export interface NativeRequest {
  parameters: GenerateContentParameters;
  /** Fields for the vendor that Drivebay does not know. */
  extra: Fields;
  /** The parts that the vendor may refuse, by the names of `REFUSALS`. */
  parts: Fields;
}

/**
 * Translates a request, less what the model refuses. Fields without effect are added to `ignored`. Throws
 * `invalid_request` for what cannot be sent.
 */
export function toNativeRequest(
  request: ChatRequest,
  without: LeftOut,
  ignored: string[],
  makeError: MakeError,
): NativeRequest {
  const { messages, maxTokens, choices = 1, reasoningEffort } = request;
  refuseOldTools(request.extra, makeError);
  const extra = toExtraFields(request.extra, without, ignored);
  const signatures = without.has('signatures') ? 'replaced' : without.has('unsigned calls') ? 'filled' : 'kept';
  const { system, contents } = conversationOf(request, signatures, !without.has('systemInstruction'), makeError);
  if (hasReasoning(messages)) ignored.push('reasoning_content');
  const sampling = toSampling(request, without, ignored);
  const thinkingConfig = toThinking(request, without, ignored);
  const tools = toNativeTools(request.tools, ignored);
  const functionCallingConfig = toCallingConfig(request, makeError);

  const config: GenerateContentConfig = { ...sampling, ...toFormat(request, makeError) };
  if (system.length > 0) config.systemInstruction = { parts: system };
  if (maxTokens !== undefined) config.maxOutputTokens = maxTokens;
  if (choices > 1) config.candidateCount = choices;
  if (thinkingConfig) config.thinkingConfig = thinkingConfig;
  if (tools) config.tools = tools;
  if (functionCallingConfig) config.toolConfig = { functionCallingConfig };

  // An effort is the client's choice, and so is its refusal; the form of a budget is the driver's.
  const thinking =
    reasoningEffort && !request.origin ? {} : { thinkingConfig, thinkingBudget: thinkingConfig?.thinkingBudget };
  const { systemInstruction } = config;
  const parts = { ...extra, ...sampling, ...thinking, systemInstruction, signatures: true, 'unsigned calls': true };
  return { parameters: { model: request.model ?? '', contents, config }, extra, parts };
}

/** Where the model takes no instruction, or there is nothing else, the instruction is the first thing the user says. */
function conversationOf(
  { messages }: ChatRequest,
  signatures: Signatures,
  takesSystem: boolean,
  makeError: MakeError,
): Conversation {
  const { system, contents } = new ConversationBuilder(signatures, makeError).build(messages);
  if (system.length === 0 || (takesSystem && contents.length > 0)) {
    // The SDK refuses an empty list, the vendor an empty text: the client should read the vendor's error.
    return { system, contents: contents.length > 0 ? contents : [{ role: 'user', parts: [{ text: '' }] }] };
  }
  const [first, ...rest] = contents;
  if (first?.role !== 'user') return { system: [], contents: [{ role: 'user', parts: system }, ...contents] };
  return { system: [], contents: [{ role: 'user', parts: [...system, ...(first.parts ?? [])] }, ...rest] };
}

function toFormat({ responseFormat: format }: ChatRequest, makeError: MakeError): GenerateContentConfig {
  if (!format || format.type === 'text') return {};
  if (format.type === 'other') {
    throw makeError('invalid_request', 'response_format must be text, json_object or json_schema for this vendor', {
      param: 'response_format',
    });
  }
  const schema = format.type === 'json_schema' ? format.schema : undefined;
  return { responseMimeType: 'application/json', responseJsonSchema: schema };
}

/** Adds the client's own fields to the body that the SDK has made. Known fields win. */
export function withExtra(text: string, extra: Fields): string {
  if (Object.keys(extra).length === 0) return text;
  const body = JSON.parse(text) as { generationConfig?: Fields };
  const whole: Fields = { ...extra, ...body };
  if (isFields(extra.generationConfig)) {
    whole.generationConfig = { ...extra.generationConfig, ...body.generationConfig };
  }
  return JSON.stringify(whole);
}
