import type { ChatRequest, Tool, ToolChoice } from '../../../contract/api';
import { isFields } from '../../../fields';
import { readFields, wrongField } from '../../read-fields';
import { toResponseFormat } from '../../response-format';
import { parseMessage, withoutNulls } from './parse-message';
import { requestFields, type RequestFields } from './request-fields';

interface ParsedRequest {
  /** The model as the client named it. The answer repeats it. */
  requestedModel: string;
  /** Whether a stream ends with a usage chunk. */
  includeUsage: boolean;
  /** The request for the device, without its model: routing sets it. */
  chat: ChatRequest;
}

/** Reads a request body. Throws an HttpError that names the field at fault. */
export function parseRequest(body: Buffer): ParsedRequest {
  const { model, messages, stream, temperature, top_p, max_tokens, max_completion_tokens, n, stop, ...more } =
    readFields(requestFields, body);
  const { tools, tool_choice, response_format, reasoning_effort, ...rest } = more;
  const chat: ChatRequest = {
    stream: stream ?? false,
    messages: messages.map(parseMessage),
    extra: withoutNulls(rest),
  };
  const maxTokens = max_completion_tokens ?? max_tokens;
  if (tools?.length) chat.tools = tools.map(toTool);
  // Beside an empty list that is left out, it would be refused.
  const saysNothing = tools?.length === 0 && (tool_choice === 'auto' || tool_choice === 'none');
  if (tool_choice != null && !saysNothing) chat.toolChoice = toToolChoice(tool_choice);
  if (response_format) chat.responseFormat = toResponseFormat(response_format, response_format.json_schema);
  if (stop != null) chat.stop = typeof stop === 'string' ? [stop] : stop;
  if (n != null) chat.choices = n;
  if (maxTokens != null) chat.maxTokens = maxTokens;
  if (temperature != null) chat.temperature = temperature;
  if (top_p != null) chat.topP = top_p;
  if (reasoning_effort != null) chat.reasoningEffort = reasoning_effort;
  return { requestedModel: model, includeUsage: more.stream_options?.include_usage ?? false, chat };
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
