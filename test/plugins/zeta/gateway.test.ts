import { json, sse, type RecordedRequest } from '../../setup/upstream';
import { RIGHT_KEY, useVendor } from '../vendor-gateway';
import { answer, end, refusal } from './harness';

interface NativePart {
  thoughtSignature?: string;
  functionCall?: { name: string };
  functionResponse?: { name: string; response: { output: string } };
}

/** Plays the vendor: wants the key and its signature back, calls two tools at once, refuses a temperature. */
function vendor({ method, path, headers, body }: RecordedRequest) {
  if (headers['x-goog-api-key'] !== RIGHT_KEY) {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
    return json(refusal(400, 'API key not valid. Please pass a valid API key.', details), { status: 400 });
  }
  if (method === 'GET') return json({ models: [{ name: 'models/m' }] });
  if (body.generationConfig.temperature !== undefined) {
    return json(refusal(400, 'Temperature is not supported for this model.'), { status: 400 });
  }
  const streams = path.includes(':streamGenerateContent?alt=sse');
  const parts = (body.contents as { parts: NativePart[] }[]).flatMap((content) => content.parts);
  const results = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  if (body.tools && results.length === 0) {
    const calls = ['c1', 'c2'].map((of) => ({ functionCall: { name: 'weather', args: { of } } }));
    const signed = [{ ...calls[0], thoughtSignature: 'c2lnbmVk' }, calls[1]!];
    return streams ? sse([answer([signed[0]!]), end([signed[1]!])]) : json(end(signed));
  }
  const call = parts.find(({ functionCall }) => functionCall);
  if (call && call.thoughtSignature !== 'c2lnbmVk') {
    return json(refusal(400, 'Thought signature is not valid.'), { status: 400 });
  }
  const text = results.map(({ name, response }) => `${name}: ${response.output}`).join(', ') || 'Hi';
  return streams ? sse([answer(text), end()]) : json(end(text));
}

const vendorGateway = useVendor({
  ...{ driver: 'zeta', alias: 'gemini', keyVariable: 'GEMINI_API_KEY' },
  environment: { GOOGLE_API_KEY: 'sk-other-key', GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_PROJECT: 'p' },
  ...{ answer: vendor, refusesKey: 'API key not valid' },
});

// Without any retry: the client echoes the signature in a field that it does not know.
test.each([false, true])('the official client has parallel tool calls answered, stream: %s', async (streamed) => {
  const message = await vendorGateway().calls(streamed);
  const calls = message.tool_calls ?? [];
  expect(calls).toMatchObject(['c1', 'c2'].map((of) => ({ function: { name: 'weather', arguments: `{"of":"${of}"}` } }))); // prettier-ignore
  const results = calls.map(({ id }, n) => ({ id, content: `rain ${n}` }));
  const { requests } = vendorGateway().upstream;
  const before = requests.length;
  const { choices } = await vendorGateway().answerTo(message, results.reverse());
  expect(choices[0]?.message.content).toBe('weather: rain 0, weather: rain 1');
  expect(vendorGateway().upstream.requests.length - before).toBe(1);
});

test('a key of another name is not mentioned', () => {
  expect(vendorGateway().gateway.stderr).not.toContain('GOOGLE_API_KEY');
});
