import type { ChatRequest, Tool, ToolChoice } from '../../../contract/api';
import { isFields } from '../../../fields';
import { readFields, wrongField } from '../../read-fields';
import { toResponseFormat } from '../../response-format';
import { parseMessage, unreadFields } from './parse-message';
import { requestFields, type RequestFields } from './request-fields';

interface ParsedRequest {
  /** The model as the client named it. The answer repeats it. */
  requestedModel: string;
  /** Whether a stream ends with a usage chunk. */
  includeUsage: boolean;
  /** The request for the device, without its model: routing sets it. */
  chat: ChatRequest;
}

/** The fields of a request that a chat has under names of its own. */
const READ: ReadonlySet<string> = new Set<keyof RequestFields>([
  ...(['model', 'messages', 'stream', 'temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'n'] as const),
  ...(['stop', 'tools', 'tool_choice', 'response_format', 'reasoning_effort'] as const),
]);

/** Reads a request body. Throws an HttpError that names the field at fault. */
export function parseRequest(body: Buffer): ParsedRequest {
  const fields = readFields(requestFields, body);
  const { stop, tools, tool_choice, response_format } = fields;
  const chat: ChatRequest = {
    stream: fields.stream ?? false,
    messages: fields.messages.map(parseMessage),
    extra: unreadFields(fields, (name) => READ.has(name)) ?? {},
  };
  const maxTokens = fields.max_completion_tokens ?? fields.max_tokens;
  if (tools?.length) chat.tools = tools.map(toTool);
  // Beside an empty list that is left out, it would be refused.
  const saysNothing = tools?.length === 0 && (tool_choice === 'auto' || tool_choice === 'none');
  if (tool_choice != null && !saysNothing) chat.toolChoice = toToolChoice(tool_choice);
  if (response_format) chat.responseFormat = toResponseFormat(response_format, response_format.json_schema);
  if (stop != null) chat.stop = typeof stop === 'string' ? [stop] : stop;
  if (fields.n != null) chat.choices = fields.n;
  if (maxTokens != null) chat.maxTokens = maxTokens;
  if (fields.temperature != null) chat.temperature = fields.temperature;
  if (fields.top_p != null) chat.topP = fields.top_p;
  if (fields.reasoning_effort != null) chat.reasoningEffort = fields.reasoning_effort;
  const includeUsage = fields.stream_options?.include_usage ?? false;
  return { requestedModel: fields.model, includeUsage, chat };
}

function toTool(tool: Record<string, unknown>, index: number): Tool {
  const definition = tool.function;
  if (tool.type !== 'function' || !isFields(definition)) {
    if (tool.type === 'function') throw wrongField(`tools[${index}].function`, definition, 'an object');
    return { name: String(tool.type), raw: tool };
  }
  const { name, description, parameters, strict, ...rest } = definition;
  const path = `tools[${index}].function`;
  if (typeof name !== 'string' || name === '') throw wrongField(`${path}.name`, name, 'a text that is not empty');
  if (parameters != null && !isFields(parameters)) throw wrongField(`${path}.parameters`, parameters, 'an object');
  const isPlain = Object.keys(rest).length === 0 && Object.keys(tool).length === 2;
  const parsed: Tool = { name };
  if (typeof description === 'string') parsed.description = description;
  if (parameters != null) parsed.parameters = parameters;
  if (typeof strict === 'boolean') parsed.strict = strict;
  if (!isPlain) parsed.raw = tool;
  return parsed;
}

function toToolChoice(choice: NonNullable<RequestFields['tool_choice']>): ToolChoice {
  if (typeof choice === 'string') {
    if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice };
    return { type: 'other', value: choice };
  }
  const named = choice.type === 'function' && isFields(choice.function) ? choice.function.name : undefined;
  return typeof named === 'string' ? { type: 'tool', name: named } : { type: 'other', value: choice };
}
