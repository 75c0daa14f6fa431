/** The vendor's Responses wire, as recorded. */
import { json, sse, type Answer, type Piece } from '../../setup/upstream';

type Fields = Record<string, unknown>;

/** What an agent program of this wire sends, in its order. */
export const BODY: Fields = {
  model: 'asked-for',
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: '<permissions>é' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
    { type: 'reasoning', id: 'rs_1', summary: [], content: null, encrypted_content: 'gAAAA-b_c=' },
    { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin Patch', id: 'ctc_1' },
    { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Done' },
  ],
  tools: [
    { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: x' } },
    { type: 'namespace', name: 'mcp__s', tools: [{ type: 'function', name: 't', parameters: {} }] },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'high', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'thread-1',
};

const USAGE = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 21,
};

export const response = (output: Fields[], fields: Fields = {}): Fields => ({
  ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'gpt-real', output, usage: USAGE },
  ...fields,
});

export const ITEMS = {
  reasoning: { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Look' }], encrypted_content: 'E' },
  message: { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Hello', annotations: [] }] },
  call: { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 't', namespace: 'mcp__s', arguments: '{"a":1}' },
  custom: { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'apply_patch', input: 'a "b"\n' },
} satisfies Record<string, Fields>; // prettier-ignore

/** The pieces of an item, between its first and its last one. */
const DELTAS: Record<string, [string, ...string[]]> = {
  reasoning: ['response.reasoning_summary_text.delta', 'Lo', 'ok'],
  message: ['response.output_text.delta', 'Hel', 'lo'],
  function_call: ['response.function_call_arguments.delta', '{"a"', ':1}'],
  custom_tool_call: ['response.custom_tool_call_input.delta', 'a "b"', '\n'],
};

export const event = (type: string, fields: Fields = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

/** The events of an item; without deltas only its first and last one. */
export function itemEvents(output_index: number, item: Fields, hasDeltas = true): string[] {
  const [type, ...pieces] = DELTAS[String(item.type)] ?? [''];
  return [
    event('response.output_item.added', {
      output_index,
      item: { ...item, arguments: '', input: '', content: [], summary: [] },
    }),
    ...(hasDeltas ? pieces.map((delta) => event(type, { output_index, item_id: item.id, delta })) : []),
    event('response.output_item.done', { output_index, item }),
  ];
}

export const begin = [
  event('response.created', { response: response([], { status: 'in_progress', usage: null }) }),
  event('response.in_progress', { response: response([], { status: 'in_progress', usage: null }) }),
];

/** The last event, with the whole answer. */
export function end(output: Fields[], fields: Fields = {}): string {
  const whole = response(output, fields);
  return event(`response.${String(whole.status)}`, { response: whole });
}

export function stream(items: Fields[], fields: Fields = {}, hasDeltas = true): Answer {
  const pieces = items.flatMap((item, index) => itemEvents(index, item, hasDeltas));
  return sse([...begin, ...pieces, end(items, fields)] as Piece[]);
}

export const refuse = (message: string, status = 400, code: string | null = null): Answer =>
  json({ error: { message, type: 'invalid_request_error', param: null, code } }, { status });
