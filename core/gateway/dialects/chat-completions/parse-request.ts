import type { ChatRequest, ResponseFormat, Tool, ToolChoice } from '../../../contract/api';
import { defined, isFields } from '../../../fields';
import { readFields, wrongField } from '../../read-fields';
import { parseMessage } from './parse-message';
import { OWN_FIELDS, requestFields, type RequestFields } from './request-fields';

export interface ParsedRequest {
  /** The model string as requested: the answer repeats it. */
  requestedModel: string;
  /** Whether a stream ends with a usage chunk. */
  includeUsage: boolean;
  /** The request for the device; its model is set by routing. */
  chat: ChatRequest;
}

/** Reads a request body. Throws an HttpError that names the field at fault. */
export function parseRequest(body: Buffer): ParsedRequest {
  const fields = readFields(requestFields, body);
  const extra: Record<string, unknown> = {};
  for (const name in fields) {
    if (!OWN_FIELDS.has(name) && fields[name] !== null && name !== '__proto__') extra[name] = fields[name];
  }
  const maxTokens = fields.max_completion_tokens ?? fields.max_tokens;
  const chat: ChatRequest = {
    stream: fields.stream ?? false,
    messages: fields.messages.map(parseMessage),
    extra,
  };
  if (fields.tools?.length) chat.tools = fields.tools.map(toTool);
  if (fields.tool_choice != null) chat.toolChoice = toToolChoice(fields.tool_choice);
  if (fields.response_format) chat.responseFormat = toResponseFormat(fields.response_format);
  if (fields.stop != null) chat.stop = typeof fields.stop === 'string' ? [fields.stop] : fields.stop;
  if (fields.n != null) chat.choices = fields.n;
  if (maxTokens != null) chat.maxTokens = maxTokens;
  if (fields.temperature != null) chat.temperature = fields.temperature;
  if (fields.top_p != null) chat.topP = fields.top_p;
  if (fields.reasoning_effort != null) chat.reasoningEffort = fields.reasoning_effort;
  return { requestedModel: fields.model, includeUsage: fields.stream_options?.include_usage ?? false, chat };
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

function toResponseFormat(format: Record<string, unknown>): ResponseFormat {
  if (format.type === 'text' || format.type === 'json_object') return { type: format.type };
  const definition = format.json_schema;
  if (format.type !== 'json_schema' || !isFields(definition) || typeof definition.name !== 'string') {
    return { type: 'other', value: format };
  }
  const { name, schema, strict, description } = definition;
  return defined<ResponseFormat>({
    type: 'json_schema',
    name,
    schema: isFields(schema) ? schema : undefined,
    strict: typeof strict === 'boolean' ? strict : undefined,
    description: typeof description === 'string' ? description : undefined,
  });
}
