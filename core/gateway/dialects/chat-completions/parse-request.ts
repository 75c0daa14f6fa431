import type { ChatRequest, Tool, ToolChoice } from '../../../contract/api';
import { type Fields, isFields } from '../../../fields';
import { toTool } from '../../parse-tool';
import { readFields } from '../../read-fields';
import { toResponseFormat } from '../../response-format';
import { nameAt, objectAt } from '../../value-at';
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

/** The fields of a function that a tool of a chat has as well. */
const DEFINITION: ReadonlySet<string> = new Set(['name', 'description', 'parameters', 'strict']);

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
  if (tools?.length) chat.tools = tools.map(readTool);
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

function readTool(tool: Fields, index: number): Tool {
  if (tool.type !== 'function') return { name: String(tool.type), raw: tool };
  const path = `tools[${index}].function`;
  const definition = objectAt(path, tool.function);
  const parsed = toTool(nameAt(`${path}.name`, definition.name), definition, path);
  const isPlain = Object.keys(definition).every((name) => DEFINITION.has(name)) && Object.keys(tool).length === 2;
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
