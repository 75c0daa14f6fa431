import type { ChatRequest, ResponseFormat, Tool, ToolChoice } from '../contract/api';
import type { z } from 'zod';
import { explainJson } from '../config/explain-json';
import { isFields } from '../fields';
import { invalidRequest, wrongField } from './gateway-error';
import { parseMessage } from './parse-message';
import { OWN_FIELDS, requestFields, type RequestFields } from './request-fields';

export interface GatewayRequest {
  /** The model string as requested: the answer repeats it. */
  requestedModel: string;
  /** Whether a stream ends with a usage chunk. */
  includeUsage: boolean;
  /** The request for the device; its model is set by routing. */
  chat: ChatRequest;
}

/** Far deeper than any tool's schema; beyond it, recursive code would run out of stack. */
const MAXIMUM_DEPTH = 200;

/** Reads a request body. Throws a GatewayError that names the field at fault. */
export function parseRequest(body: Buffer): GatewayRequest {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    throw invalidRequest(body.length === 0 ? 'the request has no body' : 'the body is not valid JSON');
  }
  if (isDeeperThan(value, MAXIMUM_DEPTH))
    throw invalidRequest(`the body is nested deeper than ${MAXIMUM_DEPTH} levels`);
  const parsed = requestFields.safeParse(value);
  if (!parsed.success) throw explain(value, parsed.error.issues);
  return toRequest(parsed.data);
}

function toRequest(fields: RequestFields): GatewayRequest {
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
  return {
    name,
    ...(typeof description === 'string' && { description }),
    ...(parameters != null && { parameters: parameters }),
    ...(typeof strict === 'boolean' && { strict }),
    ...(!isPlain && { raw: tool }),
  };
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
  return {
    type: 'json_schema',
    name,
    ...(isFields(schema) && { schema }),
    ...(typeof strict === 'boolean' && { strict }),
    ...(typeof description === 'string' && { description }),
  };
}

/** Iterative, because it is asked before anything recursive may touch the value. */
function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const node of level) {
      if (typeof node !== 'object' || node === null) continue;
      for (const child of Array.isArray(node) ? (node as unknown[]) : Object.values(node)) {
        if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
}

function explain(value: unknown, issues: z.core.$ZodIssue[]): Error {
  const options = { showTexts: false, nullMeansAbsent: true };
  const [first] = explainJson(requestFields, value, issues, options);
  if (!first || first.path.length === 0) return invalidRequest('the body must be a JSON object');
  const param = first.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1);
  return invalidRequest(`${param}: ${first.message}`, param);
}
