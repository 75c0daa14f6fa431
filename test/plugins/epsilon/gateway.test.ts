import { completion, delta, DONE, finish, json, sse, usageChunk, type RecordedRequest } from '../../setup/upstream';
import { RIGHT_KEY, useVendor } from '../vendor-gateway';

/** Plays the vendor: wants the key, lists models, calls a tool once, refuses a temperature. */
function vendor({ method, headers, body }: RecordedRequest) {
  if (headers.authorization !== `Bearer ${RIGHT_KEY}`) {
    return json({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, { status: 401 });
  }
  if (method === 'GET') return json({ object: 'list', data: [{ id: 'm' }] });
  if (body.temperature !== undefined) {
    const error = { message: "Unsupported value: 'temperature'", param: 'temperature', code: 'unsupported_value' };
    return json({ error }, { status: 400 });
  }
  const results = body.messages.filter(({ role }: { role: string }) => role === 'tool');
  const calls = ['c1', 'c2'].map((id) => ({ id, type: 'function', function: { name: 'weather', arguments: `{"in":"${id}"}` } })); // prettier-ignore
  if (body.tools && results.length === 0) {
    if (!body.stream) {
      const message = { role: 'assistant', content: null, tool_calls: calls };
      return json(completion(message, { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    }
    const pieces = calls.map((call, index) => delta({ tool_calls: [{ index, ...call }] }));
    return sse([...pieces, finish('tool_calls'), usageChunk(7, 3), DONE]);
  }
  const text = results.map(({ tool_call_id: id, content }: Record<string, string>) => `${id}: ${content}`).join(', ');
  return body.stream ? sse([delta(text || 'Hi'), finish(), usageChunk(7, 3), DONE]) : json(completion(text || 'Hi'));
}

const vendorGateway = useVendor({
  ...{ driver: 'epsilon', alias: 'openai', keyVariable: 'OPENAI_API_KEY' },
  environment: { OPENAI_LOG: 'debug' },
  ...{ answer: vendor, refusesKey: 'Incorrect API key provided' },
});

test.each([false, true])('the official client has parallel tool calls answered, stream: %s', async (streamed) => {
  const message = await vendorGateway().calls(streamed);
  const calls = message.tool_calls ?? [];
  expect(calls).toMatchObject(['c1', 'c2'].map((id) => ({ id, function: { name: 'weather', arguments: `{"in":"${id}"}` } }))); // prettier-ignore
  const results = calls.map(({ id }) => ({ id, content: `rain at ${id}` }));
  const { choices } = await vendorGateway().answerTo(message, results);
  expect(choices[0]?.message.content).toBe('c1: rain at c1, c2: rain at c2');
});
