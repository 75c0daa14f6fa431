import { type HttpAnswer, type HttpPiece, json, sse } from 'drivebay/testing';

const response = { id: 'resp_1', object: 'response', created_at: 1, status: 'in_progress', output: [] };
const USAGE = {
  input_tokens: 1000,
  input_tokens_details: { cached_tokens: 900 },
  output_tokens: 12,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 1012,
};

/** The CLI's own configuration leads it to the loopback backend. */
export function codexConfig(url: string, more: string[] = []): string {
  return [
    'model = "some-model"',
    'model_provider = "loopback"',
    '[model_providers.loopback]',
    'name = "loopback"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
    'env_key = "LOOPBACK_KEY"',
    'request_max_retries = 0',
    'stream_max_retries = 5',
    ...more,
  ].join('\n');
}

/** A stream of the Responses API with one message; the pieces `before` it end come after its text. */
export function answers(text: string, before: HttpPiece[] = [], usage: object = USAGE): HttpAnswer {
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] };
  const done = { ...message, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] };
  return events([
    { type: 'response.output_item.added', output_index: 0, item: message },
    { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: text },
    ...before,
    { type: 'response.output_item.done', output_index: 0, item: done },
    { type: 'response.completed', response: { ...response, status: 'completed', output: [done], usage } },
  ]);
}

/** Asks for a command to be run, then answers. */
export function runs(command: string, text: string): (request: { body: unknown }) => HttpAnswer {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'exec_command', status: 'completed' };
  const item = { ...call, arguments: JSON.stringify({ cmd: command }) };
  return ({ body }) => {
    const { input } = body as { input: { type: string }[] };
    if (input.at(-1)?.type === 'function_call_output') return answers(text);
    return asksFor([item]);
  };
}

/** Asks for a patch to be applied, then answers. */
export function patches(patch: string, text: string): (request: { text: string }) => HttpAnswer {
  const call = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'apply_patch', status: 'completed' };
  const item = { ...call, input: patch };
  return ({ text: body }) => {
    if (body.includes('"custom_tool_call_output"')) return answers(text);
    return asksFor([item]);
  };
}

/** Calls of tools, each in one piece. */
export function asksFor(items: object[]): HttpAnswer {
  return events([
    ...items.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: { ...response, status: 'completed', output: items, usage: USAGE } },
  ]);
}

export function refuses(status: number, message: string, code: string | null = null): HttpAnswer {
  return json({ error: { message, type: 'some_error', code } }, { status });
}

function events(pieces: HttpPiece[]): HttpAnswer {
  return sse([{ type: 'response.created', response }, ...pieces]);
}
