import type { TempHome } from '../../setup/temp-home';
import type { RunningGateway } from '../../setup/running-gateway';
import { PROVIDERS, useScripted } from '../scripted-driver';
import type { Json } from '../wire';

/** It answers with the wire of the request that it may send on. */
const VENDOR = `
module.exports = () => ({
  async check() {},
  async *chat({ origin }) {
    yield { type: 'text', text: origin.api + ': ' + JSON.stringify(origin.stored ?? null) };
    yield { type: 'finish', reason: 'stop' };
  },
});
`;
const YAML = `${PROVIDERS}
  - { name: vendor, driver: vendor, default_model: v-1 }
routes:
  - { name: both, targets: [main, vendor] }
`;

let gateway: RunningGateway;
const home: TempHome = useScripted(
  (started) => (gateway = started),
  () => {
    home.plugin('vendor', { code: VENDOR, manifest: { capabilities: { vendorTools: true, vendorPrompts: true } } });
    return { yaml: YAML };
  },
);

const ask = async (path: string, fields: Json, write = (text: string) => text) => {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: write(JSON.stringify(fields)),
  });
  return { status: response.status, body: (await response.json()) as Json, headers: response.headers };
};
const user = (...content: Json[]) => ({ max_tokens: 9, messages: [{ role: 'user', content }] });
const hi = { type: 'text', text: 'Hi' };
const file = { type: 'file', file_id: 'file_1' };
const result = { type: 'tool_result', tool_use_id: 'c', content: [hi, { type: 'image', source: file }] };

const CASES: [what: string, path: string, fields: Json, param: string, instead: string][] = [
  ['a prompt', '/v1/responses', { input: 'Hi', prompt: { id: 'pmpt_1' } }, 'prompt', 'instructions'],
  ['a prompt that says all', '/v1/responses', { prompt: { id: 'pmpt_1' } }, 'prompt', 'instructions'],
  ['an image', '/v1/messages', user(hi, { type: 'image', source: file }), 'messages[0].content[1].source.file_id', 'base64'],
  ['a document', '/v1/messages', user({ type: 'document', source: file }), 'messages[0].content[0].source.file_id', 'base64'],
  ['an upload', '/v1/messages', user(hi, { type: 'container_upload', file_id: 'f' }), 'messages[0].content[1].file_id', 'base64'],
  ['an image in a result', '/v1/messages', user(result), 'messages[0].content[0].content[1].source.file_id', 'base64'],
]; // prettier-ignore

test.each(CASES)('%s that only a vendor keeps is refused elsewhere', async (_what, path, fields, param, instead) => {
  for (const model of ['main', 'plain', 'agent']) {
    const { status, body } = await ask(path, { model, ...fields });
    expect([status, body.error]).toMatchObject([400, { code: 'invalid_request', param }]);
    expect(body.error.message).toMatch(
      new RegExp(`provider "${model}" does not have .*its vendor keeps it.*${instead}`),
    );
  }
});

test.each(CASES)('%s reaches a driver that sends the request on, and a route finds it', async (_what, path, fields) => {
  for (const model of ['vendor', 'both']) {
    const { status, body, headers } = await ask(path, { model, ...fields });
    expect([status, headers.get('x-drivebay-provider'), JSON.stringify(body)]).toEqual([
      200,
      'vendor',
      expect.stringContaining(String.raw`\"instead\"`),
    ]);
  }
});

test('a request that names nothing of the kind is answered, whatever its texts say', async () => {
  const text = { type: 'text', text: '{"file_id": "x", "source": {"file_id": "x"}}' };
  const call = { type: 'tool_use', id: 'c', name: 'f', input: { source: { file_id: 'x' } } };
  const messages = [
    { role: 'user', content: [text] },
    { role: 'assistant', content: [call] },
    ...user({ type: 'tool_result', tool_use_id: 'c', content: '"file_id"' }).messages,
  ];
  expect((await ask('/v1/messages', { model: 'main', max_tokens: 9, messages })).status).toBe(200);
  expect((await ask('/v1/responses', { model: 'main', input: 'Hi', prompt: null })).status).toBe(200);
});

test('a file is found by its name, however its letters are written', async () => {
  const fields = { model: 'main', ...user({ type: 'image', source: file }) };
  const { status, body } = await ask('/v1/messages', fields, (text) =>
    text.replace('file_id', String.raw`file\u005fid`),
  );
  expect([status, body.error.param]).toEqual([400, 'messages[0].content[0].source.file_id']);
});

test('the model is told of a summary that it cannot read', async () => {
  const input = [
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA' },
    { role: 'user', content: 'Go on' },
  ];
  const { body, headers } = await ask('/v1/responses', { model: 'main', input, script: [{ echo: 'request' }, { type: 'finish', reason: 'stop' }] });
  const { messages } = JSON.parse(body.output[0].content[0].text) as { messages: Json[] };
  expect(messages[0]).toMatchObject({ role: 'user', parts: [{ text: expect.stringContaining('earlier part of this conversation is missing') }] });
  expect(headers.get('x-drivebay-ignored-params')).toBe('script,input.compaction');
}); // prettier-ignore
