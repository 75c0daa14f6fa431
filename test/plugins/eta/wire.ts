/** The vendor's wire format, as recorded. */
import { json, sse, type Answer, type Piece } from '../../setup/upstream';

type Fields = Record<string, unknown>;

export const USAGE = {
  input_tokens: 5,
  cache_creation_input_tokens: 20,
  cache_read_input_tokens: 100,
  cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: 'standard',
};

/** A whole message with these content blocks, or with a text. */
export function message(content: string | Fields[] = 'Hi', fields: Fields = {}): Fields {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-real',
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { ...USAGE, output_tokens: 7 },
    ...fields,
  };
}

export function event(type: string, fields: Fields = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

export const begin = event('message_start', {
  message: { ...message([]), stop_reason: null, usage: USAGE },
});

export const end = (stop_reason: string | null = 'end_turn', usage: Fields = { output_tokens: 7 }): string =>
  event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage }) + event('message_stop');

/** One content block with its deltas. */
export function block(index: number, content_block: Fields, ...deltas: Fields[]): string[] {
  return [
    event('content_block_start', { index, content_block }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
}

export const textBlock = (index: number, ...texts: string[]): string[] =>
  block(index, { type: 'text', text: '' }, ...texts.map((text) => ({ type: 'text_delta', text })));

export const thinkingBlock = (index: number, signature: string, ...texts: string[]): string[] =>
  block(
    index,
    { type: 'thinking', thinking: '', signature: '' },
    ...texts.map((thinking) => ({ type: 'thinking_delta', thinking })),
    { type: 'signature_delta', signature },
  );

export const callBlock = (index: number, id: string, name: string, ...pieces: string[]): string[] =>
  block(
    index,
    { type: 'tool_use', id, name, input: {} },
    ...pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  );

/** A complete stream of these blocks. */
export function stream(blocks: string[], stopReason = 'end_turn'): Answer {
  return sse([begin, event('ping'), ...blocks, end(stopReason)] as Piece[]);
}

export function refusal(text: string, status = 400, type = 'invalid_request_error'): Answer {
  return json({ type: 'error', error: { type, message: text }, request_id: 'req_1' }, { status });
}
