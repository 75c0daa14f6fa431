import type { ChatRequest, ResponseFormat, Tool, ToolChoice } from 'drivebay/plugin';
import { isFields, type Fields } from './fields';
import { toWireMessage } from './wire-message';

/**
 * The JSON text to send. Known fields win over `extra`, with one exception: a client's own `thinking` is more specific
 * than the provider's budget. `max_tokens` is sent whatever the client called it: many servers know only that name.
 */
export function toRequestBody(request: ChatRequest, includeUsage: boolean): string {
  // Spreading copies a field named __proto__ as an ordinary field. Undefined values are left out of the text.
  const { stream_options: streamOptions, ...extra } = request.extra;
  const body: Fields = {
    ...(request.thinkingBudget && { thinking: { type: 'enabled', budget_tokens: request.thinkingBudget } }),
    ...extra,
    model: request.model,
    messages: request.messages.map(toWireMessage),
    stream: request.stream,
    stream_options: request.stream && includeUsage ? withUsage(streamOptions) : undefined,
    tools: request.tools?.map(toWireTool),
    tool_choice: request.toolChoice && toWireToolChoice(request.toolChoice),
    response_format: request.responseFormat && toWireFormat(request.responseFormat),
    stop: request.stop,
    n: request.choices,
    max_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    reasoning_effort: request.reasoningEffort,
  };
  return JSON.stringify(body);
}

function withUsage(streamOptions: unknown): Fields {
  return { ...(isFields(streamOptions) && streamOptions), include_usage: true };
}

function toWireTool({ raw, name, description, parameters, strict }: Tool): Fields {
  return raw ?? { type: 'function', function: { name, description, parameters, strict } };
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
