import { OpenAI } from 'openai';
import type { RunningGateway } from '../../../setup/running-gateway';
import { logLines, PROVIDERS, text, stop, useScripted } from '../../scripted-driver';
import type { Json } from '../../wire';
import { respond } from './responses-wire';

let gateway: RunningGateway;
const home = useScripted(
  (started) => (gateway = started),
  () => ({ yaml: `${PROVIDERS}  - { name: counts, driver: counting, default_model: c-1 }\n` }),
);
home.plugin('counting', {
  code: `module.exports = () => ({
    async *chat() { yield { type: 'text', text: 'x' }; yield { type: 'finish', reason: 'stop' }; },
    async check() {},
    async countTokens({ origin, model }) {
      if (origin.body.mode === 'fails') throw new Error('no');
      return origin.api === 'responses' && model === 'c-1' ? 4321 : NaN;
    },
  })`,
});

const PATH = '/v1/responses/input_tokens';
const count = async (fields: Json, path = PATH) => {
  const body = JSON.stringify({ model: 'main', input: 'Hello', ...fields });
  const answer = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return [answer.status, (await answer.json()) as Json] as const;
};
const counted = (tokens: number) => [200, { object: 'response.input_tokens', input_tokens: tokens }];

describe('tokens are counted', () => {
  test('by the backend where it can, and for the SDK', async () => {
    expect(await count({ model: 'counts' })).toEqual(counted(4321));
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'unused', maxRetries: 0 });
    const { input_tokens: tokens } = await client.responses.inputTokens.count({ model: 'counts', input: 'Hello' });
    expect(tokens).toBe(4321);
  });

  test.each<[string, Json]>([
    ['a driver that cannot', {}],
    ['an agent', { model: 'agent' }],
    ['a driver that fails', { model: 'counts', mode: 'fails' }],
    ['a model that nobody has', { model: 'nobody' }],
    ['no model', { model: undefined }],
  ])('or estimated: %s', async (_name, fields) => {
    expect(await count(fields)).toEqual(counted(5));
  });

  test('at each path, and nothing is asked for it', async () => {
    for (const path of ['/responses/input_tokens', '/v1/v1/responses/input_tokens']) {
      expect(await count({}, path)).toEqual(counted(5));
    }
    expect(logLines(gateway).filter(({ msg }) => msg === 'turn started')).toEqual([]);
  });
});

test('tools, results, images and instructions count', async () => {
  const tool = { type: 'function', name: 'read', description: 'x'.repeat(400), parameters: { type: 'object' } };
  const input = [
    { role: 'user', content: [{ type: 'input_text', text: 'y'.repeat(400) }, { type: 'input_image', image_url: 'data:,' }] },
    { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"path":"z"}' },
    { type: 'function_call_output', call_id: 'a', output: 'w'.repeat(400) },
  ]; // prettier-ignore
  const [, { input_tokens: tokens }] = await count({ input, tools: [tool], instructions: 'v'.repeat(400) });
  expect(tokens).toBeGreaterThan(1_900);
  expect(tokens).toBeLessThan(2_000);
});

test('a response that is kept counts with what goes on from it', async () => {
  const first = (await (await respond(gateway, [text('Hello'), stop], { input: 'x'.repeat(4_000) })).json()) as Json;
  const [, { input_tokens: tokens }] = await count({ input: 'More', previous_response_id: first.id });
  expect(tokens).toBeGreaterThan(1_000);
});

test.each<[string, Json]>([
  ['input', { input: undefined }],
  ['tools', { tools: 7 }],
  ['previous_response_id', { previous_response_id: 'resp_x' }],
  ['conversation', { conversation: 'conv_1' }],
])('what is no request is refused: %s', async (param, fields) => {
  expect(await count(fields)).toMatchObject([400, { error: { param } }]);
});
