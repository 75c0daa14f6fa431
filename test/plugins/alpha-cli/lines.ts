import type { ScriptedAnswer } from 'drivebay/testing';

type Fields = Record<string, unknown>;

const USAGE = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };

/** The lines that the program prints, as it prints them. */
export const init = (fields: Fields = {}): Fields => ({
  ...{
    type: 'system',
    subtype: 'init',
    model: 'claude-opus-4-8',
    apiKeySource: 'none',
    claude_code_version: '2.1.197',
  },
  ...fields,
});

export const streamed = (event: Fields, parent: string | null = null): Fields => ({
  ...{ type: 'stream_event', event, session_id: 's', parent_tool_use_id: parent },
});

export const messageStart = (id = 'msg_1', usage: Fields = USAGE): Fields =>
  streamed({ type: 'message_start', message: { id, role: 'assistant', model: 'claude-opus-4-8', content: [], usage } });

export const blockStart = (block: Fields = { type: 'text', text: '' }): Fields =>
  streamed({ type: 'content_block_start', index: 0, content_block: block });

export const delta = (text: string, parent: string | null = null): Fields =>
  streamed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, parent);

export const thinking = (text: string): Fields =>
  streamed({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: text } });

export const messageDelta = (stopReason: string, usage: Fields = USAGE, stopSequence: string | null = null): Fields =>
  streamed({ type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: stopSequence }, usage });

export const messageStop = (): Fields => streamed({ type: 'message_stop' });

export const assistant = (content: Fields[], fields: Fields = {}, message: Fields = {}): Fields => ({
  ...{ type: 'assistant', parent_tool_use_id: null, session_id: 's' },
  message: { id: 'msg_1', role: 'assistant', model: 'claude-opus-4-8', content, stop_reason: null, ...message },
  ...fields,
});

export const said = (text: string, id = 'msg_1'): Fields => assistant([{ type: 'text', text }], {}, { id });

/** A call of a tool, as the model makes it. */
export const calls = (id: string, name: string, input: Fields = {}): Fields[] => [
  blockStart({ type: 'tool_use', id, name, input: {} }),
  assistant([{ type: 'tool_use', id, name, input }]),
];

export const blockStop = (): Fields => streamed({ type: 'content_block_stop', index: 0 });

/** The result of a tool, as the program has given it to the model. */
export const resulted = (id: string, content: unknown, fields: Fields = {}): Fields => ({
  ...{ type: 'user', parent_tool_use_id: null },
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...fields }] },
});

/** What the program says in place of the model. */
export const synthetic = (text: string, error?: string): Fields =>
  assistant([{ type: 'text', text }], error === undefined ? {} : { error }, { id: 'own', model: '<synthetic>' });

export const retry = (fields: Fields): Fields => ({
  ...{ type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, retry_delay_ms: 500 },
  ...fields,
});

export const result = (text: string, fields: Fields = {}): Fields => ({
  ...{ type: 'result', subtype: 'success', is_error: false, api_error_status: null, num_turns: 1, result: text },
  ...{ stop_reason: 'end_turn', total_cost_usd: 0, usage: USAGE, modelUsage: {}, permission_denials: [] },
  ...fields,
});

/** As the program does it: the subtype claims success. */
export const failedResult = (text: string, status: number | null = null, fields: Fields = {}): Fields =>
  result(text, { is_error: true, api_error_status: status, stop_reason: 'stop_sequence', ...fields });

/** A whole run with partial messages. */
export function answerLines({ pieces, usage, reasoning, finish }: ScriptedAnswer): Fields[] {
  const cached = usage.cachedInputTokens ?? 0;
  const counts = {
    ...USAGE,
    input_tokens: usage.inputTokens - cached,
    cache_read_input_tokens: cached,
    output_tokens: usage.outputTokens,
  };
  const text = pieces.join('');
  const stopReason = finish === 'length' ? 'max_tokens' : 'end_turn';
  return [
    init(),
    messageStart('msg_1', { ...counts, output_tokens: 1 }),
    ...(reasoning === undefined
      ? []
      : [
          blockStart({ type: 'thinking', thinking: '' }),
          thinking(reasoning),
          assistant([{ type: 'thinking', thinking: reasoning }]),
        ]),
    blockStart(),
    ...pieces.map((piece) => delta(piece)),
    said(text),
    messageDelta(stopReason, counts),
    messageStop(),
    result(text, { usage: counts, stop_reason: stopReason, total_cost_usd: 0.001 }),
  ];
}
