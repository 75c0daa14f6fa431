import type { ChatRequest, ResponseFormat } from 'drivebay/plugin';
import { isFields, type Fields } from '../_shared/fields';
import type { MakeError } from './answer-error';
import { addBreakpoints } from './breakpoints';
import { toConversation } from './conversation';
import { toFurtherFields } from './further-fields';
import { type Habits, pairOf } from './model-habits';
import { toThinking } from './thinking';
import type { Thoughts } from './thoughts';
import { toWireTools } from './tools';

/** What had to be left out of one request, because of what the vendor said to it. */
export interface Concessions {
  thoughts: boolean;
  breakpoints: boolean;
}

export interface RequestBody {
  body: Fields;
  /** Names of the client's fields that have no effect. */
  ignored: string[];
  /** Breakpoints that we have set, and those of the client. */
  breakpoints: { own: number; theirs: number };
  isOwnLimit: boolean;
  hasOwnThinking: boolean;
  /** Whether the client's `strict` of tools was translated. */
  hasStrictTools: boolean;
}

export interface BodyParts {
  habits: Habits;
  thoughts: Thoughts;
  makeError: MakeError;
  without: Concessions;
}

const SAMPLING = ['temperature', 'top_p', 'top_k'];

/** Spells a request as the vendor's. Known fields win over further ones. */
export function toRequestBody(request: ChatRequest, { habits, thoughts, makeError, without }: BodyParts): RequestBody {
  const ignored: string[] = [];
  const further = toFurtherFields(request, ignored, makeError);
  const conversation = toConversation(request.messages, { makeError, thoughts, withoutThoughts: without.thoughts });
  const { system, turns } = conversation;
  const { tools, toolChoice } = toWireTools(request, habits.takesStrictTools, ignored, makeError);
  const forced = toolChoice?.type === 'any' || toolChoice?.type === 'tool';
  const { thinking, maxTokens, isOwnLimit } = toThinking(request, habits, forced, turns);
  if (conversation.hasLostReasoning) ignored.push('reasoning_content');
  if (request.thinkingBudget && !thinking) ignored.push('thinking_budget');
  const withBreakpoints = habits.takesBreakpoints && !without.breakpoints;
  const whole = further.cache_control;
  const breakpoints = withBreakpoints ? addBreakpoints({ tools, system, turns, whole }) : { own: 0, theirs: 0 };

  const fields: Fields = {
    ...further,
    model: request.model,
    max_tokens: maxTokens,
    // Some clients send it themselves, under the vendor's name.
    system: system.length > 0 ? system : further.system,
    messages: turns,
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: toolChoice,
    thinking,
    output_config: toOutputConfig(request, ignored, makeError),
    stop_sequences: request.stop ?? further.stop_sequences,
    temperature: request.temperature,
    top_p: request.topP,
    stream: request.stream || undefined,
  };
  const body = leaveOutRefused(fields, habits, ignored);
  const hasStrictTools = habits.takesStrictTools && (request.tools ?? []).some(({ strict }) => strict !== undefined);
  return { body, ignored, breakpoints, isOwnLimit, hasOwnThinking: isFields(request.extra.thinking), hasStrictTools };
}

/** Whether the request can have an effect only in the version of the API that still samples. */
export function isSampling(body: Fields): boolean {
  return SAMPLING.some((name) => body[name] !== undefined);
}

function toOutputConfig(request: ChatRequest, ignored: string[], makeError: MakeError): Fields | undefined {
  const { reasoningEffort: effort, responseFormat, extra } = request;
  const format = responseFormat && toWireFormat(responseFormat, ignored, makeError);
  const own = isFields(extra.output_config) ? extra.output_config : {};
  const config = { ...(effort !== undefined && { effort }), ...(format && { format }), ...own };
  return Object.keys(config).length > 0 ? config : undefined;
}

function toWireFormat(format: ResponseFormat, ignored: string[], makeError: MakeError): Fields | undefined {
  if (format.type === 'json_schema') return { type: 'json_schema', schema: format.schema };
  if (format.type === 'other') {
    const value = isFields(format.value) ? format.value : {};
    const schema = isFields(value.json_schema) ? value.json_schema.schema : value.schema;
    if (value.type === 'json_schema' && isFields(schema)) return { type: 'json_schema', schema };
    throw makeError('invalid_request', 'this response_format has no equivalent: use json_schema with a schema', {
      param: 'response_format',
    });
  }
  // The vendor has no JSON without a schema.
  if (format.type === 'json_object') ignored.push('response_format');
  return undefined;
}

function leaveOutRefused(fields: Fields, { fields: refused, values }: Habits, ignored: string[]): Fields {
  const body: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (refused.has(name) || (values.size > 0 && values.has(pairOf(name, value)))) ignored.push(name);
    else body[name] = value;
  }
  return body;
}
