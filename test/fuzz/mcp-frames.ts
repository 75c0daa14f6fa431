import fc from 'fast-check';
import { mutated } from './mutated';

const call = (name: string, given: object) => ({
  ...{ jsonrpc: '2.0', id: 3, method: 'tools/call' },
  params: { name, arguments: given, _meta: { progressToken: 3 } },
});
const told = (method: string, params = {}) => ({ jsonrpc: '2.0', method: `notifications/${method}`, params });
const asked = (method: string, params = {}) => ({ jsonrpc: '2.0', id: 'a', method, params });

/** What a tool server may say unasked. */
const OF_SERVERS: readonly object[] = [
  { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'x' }] } },
  { jsonrpc: '2.0', id: 2, error: { code: -32_000, message: 'no', data: { a: 1 } } },
  told('message', { level: 'info', logger: 'x', data: { a: [1] } }),
  told('progress', { progressToken: 1, progress: 0.5, total: 1, message: 'half' }),
  told('tools/list_changed'),
  told('cancelled', { requestId: 1, reason: 'x' }),
  asked('ping'),
  asked('roots/list'),
  asked('elicitation/create', { message: 'x', requestedSchema: { type: 'object', properties: {} } }),
  asked('sampling/createMessage', {
    messages: [{ role: 'user', content: { type: 'text', text: 'x' } }],
    maxTokens: 5,
    modelPreferences: { hints: [{ name: 'm' }] },
  }),
];

/** What a client may ask. No call is complete: a chat for each would take longer than all of the reading. */
const OF_CLIENTS: readonly object[] = [
  asked('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: { roots: { listChanged: true }, sampling: {} },
    clientInfo: { name: 'x', version: '1' },
  }),
  told('initialized'),
  asked('ping'),
  asked('tools/list', { cursor: 'x' }),
  asked('resources/list'),
  asked('resources/templates/list'),
  asked('resources/read', { uri: 'drivebay://none' }),
  asked('resources/subscribe', { uri: 'x' }),
  asked('prompts/get', { name: 'x', arguments: {} }),
  asked('completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'x', value: 'y' } }),
  asked('logging/setLevel', { level: 'info' }),
  call('ask', { prompt: 5, model: 'm', files: ['a'], images: ['b'] }),
  call('compare', { prompt: '', models: ['a'] }),
  call('run_agent', { intent: 5 }),
  { jsonrpc: '2.0', id: 1, result: { roots: [{ uri: 'file:///x' }] } },
  told('cancelled', { requestId: 3 }),
  told('roots/list_changed'),
];

/** A frame as text: nearly a good one, a batch of them, and now and then cut, or no JSON. */
function frames(samples: readonly object[]): fc.Arbitrary<string> {
  return fc.tuple(mutated(samples), mutated(samples), fc.nat(), fc.nat(19)).map(([one, other, at, harm]) => {
    const text = JSON.stringify(one) ?? 'null';
    if (harm === 0) return text.slice(0, at % text.length);
    if (harm === 1) return text.slice(at % text.length);
    if (harm === 2) return JSON.stringify([one, other]);
    if (harm === 3) return text.replace('"id":3', '"id":123456789012345678901234567890');
    return text;
  });
}

export const serverFrames = frames(OF_SERVERS);
export const clientFrames = frames(OF_CLIENTS);
