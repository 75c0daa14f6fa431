import type { ChatRequest, ResponseFormat } from 'drivebay/plugin';
import { fieldsOf, isFields, type Fields } from '../_shared/fields';
import { schemaOf } from '../_shared/http/answer-schema';
import type { MakeError } from '../_shared/http/explain-error';
import { leaveOut, type LeftOut } from '../_shared/http/refusals';
import { addBreakpoints } from './breakpoints';
import { toConversation } from './conversation';
import { toFurtherFields } from './further-fields';
import { effortOf, thinkingParts, toThinking } from './thinking';
import type { Thoughts } from './thoughts';
import { toWireTools } from './tools';

export interface RequestBody {
  body: Fields;
  /** The parts that the vendor may refuse besides whole fields, by the names of `REFUSALS`. */
  parts: Fields;
}

export interface BodyParts {
  without: LeftOut;
  thoughts: Thoughts;
  makeError: MakeError;
  /** Gets the names of the client's fields that have no effect. */
  ignored: string[];
}

const SAMPLING = ['temperature', 'top_p', 'top_k'];

/** Spells a request as the vendor's, less what the model refuses. Known fields win over further ones. */
export function toRequestBody(request: ChatRequest, { without, thoughts, makeError, ignored }: BodyParts): RequestBody {
  const further = toFurtherFields(request, ignored, makeError);
  const withoutThoughts = without.has('thinking_blocks');
  const { system, turns, hasLostReasoning } = toConversation(request.messages, {
    makeError,
    thoughts,
    withoutThoughts,
  });
  const takesStrict = !without.has('tools.strict');
  const { tools, toolChoice } = toWireTools(request, takesStrict, ignored, makeError);
  const isForced = toolChoice?.type === 'any' || toolChoice?.type === 'tool';
  const chosen = toThinking(request, { without, isForced, turns, makeError });
  const { thinking, maxTokens } = chosen;
  if (hasLostReasoning) ignored.push('reasoning_content');
  if (request.thinkingBudget && !thinking) ignored.push('thinking_budget');
  const whole = further.cache_control;
  const breakpoints = without.has('cache_control') ? 0 : addBreakpoints({ tools, system, turns, whole });

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
  const parts: Fields = {
    ...thinkingParts(chosen, isFields(request.extra.thinking)),
    'tools.strict': takesStrict && request.tools?.some(({ strict }) => strict !== undefined) ? true : undefined,
    cache_control: breakpoints > 0 || whole,
  };
  return { body: leaveOut(fields, without, ignored), parts };
}

/** Whether the request can have an effect only in the version of the API that still samples. */
export function isSampling(body: Fields): boolean {
  return SAMPLING.some((name) => body[name] !== undefined);
}

function toOutputConfig(request: ChatRequest, ignored: string[], makeError: MakeError): Fields | undefined {
  const { responseFormat, extra } = request;
  const effort = effortOf(request);
  const format = responseFormat && toWireFormat(responseFormat, ignored, makeError);
  const config: Fields = {};
  if (effort !== undefined) config.effort = effort;
  if (format) config.format = format;
  Object.assign(config, fieldsOf(extra.output_config));
  return Object.keys(config).length > 0 ? config : undefined;
}

function toWireFormat(format: ResponseFormat, ignored: string[], makeError: MakeError): Fields | undefined {
  const schema = schemaOf(format);
  if (schema || format.type === 'json_schema') return { type: 'json_schema', schema };
  if (format.type === 'other') {
    throw makeError('invalid_request', 'this response_format has no equivalent: use json_schema with a schema', {
      param: 'response_format',
    });
  }
  // The vendor has no JSON without a schema.
  if (format.type === 'json_object') ignored.push('response_format');
  return undefined;
}
