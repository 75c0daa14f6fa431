import { type HttpAnswer, type HttpPiece, json, sse } from 'drivebay/testing';

const USAGE = { input_tokens: 25, cache_creation_input_tokens: 60, cache_read_input_tokens: 900, output_tokens: 12 };

/** A stream of the Messages API; the pieces `before` its end come after its text. */
export function answers(text: string, before: HttpPiece[] = [], stopReason = 'end_turn'): HttpAnswer {
  return message(
    [
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      ...before,
      event('content_block_stop', { index: 0 }),
    ],
    stopReason,
  );
}

/** Asks for a command to be run, then answers. */
export function runs(command: string, text: string): (request: { body: unknown }) => HttpAnswer {
  const input = { type: 'input_json_delta', partial_json: JSON.stringify({ command, description: 'Run it' }) };
  const block = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} };
  return ({ body }) => {
    if (JSON.stringify(body).includes('"tool_result"')) return answers(text);
    return message(
      [
        event('content_block_start', { index: 0, content_block: block }),
        event('content_block_delta', { index: 0, delta: input }),
        event('content_block_stop', { index: 0 }),
      ],
      'tool_use',
    );
  };
}

export function refuses(status: number, message: string, type = 'some_error'): HttpAnswer {
  return json({ type: 'error', error: { type, message } }, { status });
}

let messages = 0;

function message(content: HttpPiece[], stopReason: string): HttpAnswer {
  const head = { id: `msg_${++messages}`, type: 'message', role: 'assistant', model: 'claude-opus-4-8', content: [] };
  return sse([
    event('message_start', { message: { ...head, stop_reason: null, usage: { ...USAGE, output_tokens: 1 } } }),
    ...content,
    event('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage: USAGE }),
    event('message_stop', {}),
  ]);
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/** A text, then calls of tools. The name of each is the one that the request has for it. A text as `input` is sent as it is. */
export function callsFor(text: string, ...calls: { id: string; name: string; input: object | string }[]): HttpAnswer {
  return message(
    [
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      event('content_block_stop', { index: 0 }),
      ...calls.flatMap(({ id, name, input }, index) => [
        event('content_block_start', { index: index + 1, content_block: { type: 'tool_use', id, name, input: {} } }),
        event('content_block_delta', {
          index: index + 1,
          delta: {
            type: 'input_json_delta',
            partial_json: typeof input === 'string' ? input : JSON.stringify(input),
          },
        }),
        event('content_block_stop', { index: index + 1 }),
      ]),
    ],
    'tool_use',
  );
}
