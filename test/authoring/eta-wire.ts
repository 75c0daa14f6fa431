import { type HttpWire, json, sse } from 'drivebay/testing';
import { begin, block, callBlock, end, message, refusal, textBlock, thinkingBlock } from '../plugins/eta/wire';

type Fields = Record<string, unknown>;

const STOP_REASONS = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' };
const TYPES: Record<number, string> = {
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  500: 'api_error',
};

/** How the vendor speaks. It signs its thinking, which the kit has beside a call. */
export const etaWire: HttpWire = {
  options: (url) => ({ base_url: url }),
  probe: ({ method, path }) => {
    if (path.endsWith('/count_tokens')) return json({ input_tokens: 12 });
    return method === 'GET' ? json({ data: [{ id: 'kit-model-1' }], has_more: false }) : undefined;
  },
  answer({ pieces, reasoning, toolCalls = [], usage, finish }, { body }) {
    const cached = usage.cachedInputTokens ?? 0;
    const counted = {
      input_tokens: usage.inputTokens - cached,
      cache_read_input_tokens: cached,
      output_tokens: usage.outputTokens,
    };
    const signature = toolCalls.find((call) => call.signature)?.signature;
    const thinks = reasoning !== undefined || signature !== undefined;
    if (!body.stream) {
      const content = [
        ...(thinks ? [{ type: 'thinking', thinking: reasoning ?? '', signature: signature ?? 'SIG' }] : []),
        { type: 'text', text: pieces.join('') },
        ...toolCalls.map(({ id, name, arguments: text }) => ({
          ...{ type: 'tool_use', id, name },
          input: JSON.parse(text) as unknown,
        })),
      ];
      return json(message(content, { stop_reason: STOP_REASONS[finish], usage: counted }));
    }
    return sse([
      begin,
      ...(thinks ? thinkingBlock(0, signature ?? 'SIG', ...(reasoning === undefined ? [] : [reasoning])) : []),
      ...(pieces.length > 0 ? textBlock(1, ...pieces) : block(1, { type: 'text', text: '' })),
      ...toolCalls.flatMap(({ id, name, arguments: text }, index) => callBlock(index + 2, id, name, text)),
      end(STOP_REASONS[finish], { ...counted, cache_creation_input_tokens: 0 }),
    ]);
  },
  failure: ({ status, message: text }) => refusal(text, status, TYPES[status] ?? 'api_error'),
  interruption: ({ message: text }) => [{ type: 'error', error: { type: 'api_error', message: text } }],
  received: ({ body, headers }) => ({
    model: body.model,
    texts: [...(body.system ?? []), ...body.messages.flatMap(({ content }: { content: Fields[] }) => content)].flatMap(
      ({ text, content }: Fields) => [text, content].filter((value): value is string => typeof value === 'string'),
    ),
    // The driver's default.
    maxTokens: body.max_tokens === 8192 ? undefined : body.max_tokens,
    temperature: body.temperature,
    topP: body.top_p,
    stop: body.stop_sequences,
    reasoningEffort: body.output_config?.effort,
    thinkingBudget: body.thinking?.budget_tokens,
    key: headers['x-api-key'],
    tools: body.tools?.map(({ name }: Fields) => name),
  }),
};
