import type { ChatRequest, ResponseFormat, Tool, ToolChoice } from 'drivebay/plugin';
import { addFurther, fieldsOf, type Fields } from '../fields';
import { withoutChoices } from '../plain-schema';
import { toWireMessage, type MessageDialect } from './wire-message';

/** How the spelling of a request differs from server to server. */
interface Dialect extends MessageDialect {
  includeUsage: boolean;
  limitName: 'max_tokens' | 'max_completion_tokens';
}

/** The body of a request. Known fields win over `extra`; those that are undefined stay out of its JSON text. */
export function toRequestFields(request: ChatRequest, dialect: Dialect): Fields {
  const { extra } = request;
  const fields: Fields = {
    model: request.model,
    messages: request.messages.map((message) => toWireMessage(message, dialect)),
    stream: request.stream,
    stream_options: request.stream && dialect.includeUsage ? withUsage(extra.stream_options) : undefined,
    tools: request.tools?.map(toWireTool),
    tool_choice: request.toolChoice && toWireToolChoice(request.toolChoice),
    response_format: request.responseFormat && toWireFormat(request.responseFormat),
    stop: request.stop,
    n: request.choices,
    [dialect.limitName]: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    reasoning_effort: request.reasoningEffort,
  };
  return addFurther(fields, extra);
}

function withUsage(streamOptions: unknown): Fields {
  return { ...fieldsOf(streamOptions), include_usage: true };
}

function toWireTool({ raw, name, description, parameters: given, strict }: Tool): Fields {
  if (raw) return raw;
  const plain = given && withoutChoices(given);
  // OpenAI refuses an object schema without `properties`. MCP servers send such a schema for a tool without arguments.
  const parameters = plain?.type === 'object' ? { ...plain, properties: plain.properties ?? {} } : plain;
  return { type: 'function', function: { name, description, parameters, strict } };
}

function toWireToolChoice(choice: ToolChoice): unknown {
  if (choice.type === 'other') return choice.value;
  return choice.type === 'tool' ? { type: 'function', function: { name: choice.name } } : choice.type;
}

function toWireFormat(format: ResponseFormat): unknown {
  if (format.type === 'other') return format.value;
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, schema, strict, description } = format;
  return { type: 'json_schema', json_schema: { name, schema, strict, description } };
}

/** Fields of this wire that other APIs have nothing for: a driver of another API does not send them. */
export const CHAT_ONLY: readonly string[] = [
  'audio',
  'logit_bias',
  'logprobs',
  'modalities',
  'moderation',
  'prediction',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'store',
  'top_logprobs',
  'user',
  'verbosity',
  'web_search_options',
];
