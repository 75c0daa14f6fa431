import type { RunningGateway } from '../../setup/running-gateway';
import { logLines, useScripted } from '../scripted-driver';
import type { Json } from '../wire';

let gateway: RunningGateway;
useScripted((started) => (gateway = started));

/** No text, and no way to become one. */
const ODD = { toString: 1 };
const LONG = 'L'.repeat(300_000);

const said = (...content: Json[]) => ({ max_tokens: 9, messages: [{ role: 'user', content }] });
const got = (content: unknown) => said({ type: 'tool_result', tool_use_id: 'x', content });
const source = { type: 'base64', media_type: ODD, data: 'AA==' };
const tools = [{ type: 'function', name: 'f' }];

test.each<[string, string, Json, number]>([
  ['the name of a tool', '/v1/messages', got([{ type: 'tool_reference', tool_name: ODD }]), 200],
  ['the type of an image', '/v1/messages', said({ type: 'image', source }), 200],
  ['the type of a document', '/v1/messages', said({ type: 'document', source }), 200],
  ['the type of a block', '/v1/messages', said({ type: 'text', text: 'Hi' }, { type: ODD }), 200],
  ['the type of an item', '/v1/responses', { input: [{ type: ODD }] }, 400],
  ['the choice of a tool', '/v1/responses', { input: 'Hi', tools, tool_choice: { type: 'function', name: ODD } }, 400],
  [
    'the namespace of a choice',
    '/v1/responses',
    { input: 'Hi', tools, tool_choice: { type: 'function', name: 'f', namespace: ODD } },
    200,
  ],
  ['the length of a name', '/v1/chat/completions', { model: { length: ODD }, messages: [] }, 400],
  ['the length of a list', '/v1/messages', { max_tokens: 9, messages: { length: ODD } }, 400],
  [
    'a type that fits into no header',
    '/v1/responses',
    { input: [{ type: LONG }, { role: 'user', content: 'Hi' }] },
    200,
  ],
])('an odd value as %s is no failure of ours', async (_name, path, fields, status) => {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'main', ...fields }),
  });
  const text = await response.text();
  expect([response.status, text]).toEqual([status, text]);
  expect(logLines(gateway).filter(({ error }) => /\n +at /.test(String(error)))).toEqual([]);
});

describe.each(['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/embeddings'])('%s', (path) => {
  const ask = async (body: Buffer) => {
    const headers = { 'content-type': 'application/json; charset=iso-8859-1' };
    const response = await fetch(gateway.url + path, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };
  const said = (content: string) =>
    JSON.stringify({ model: 'main', max_tokens: 9, messages: [{ role: 'user', content }], input: content });

  test.each(['latin1', 'utf16le'] as const)(
    'a body in %s is refused, in place of asking for other words',
    async (encoding) => {
      const { status, text } = await ask(
        Buffer.from(`\uFEFF${said('Grüße')}`.slice(encoding === 'latin1' ? 1 : 0), encoding),
      );
      expect([status, text]).toEqual([400, expect.stringContaining('not UTF-8')]);
    },
  );

  test.each(['Grüße', '\uFFFD', '\ud800', '日本 😀'])('a body in UTF-8 is read: %j', async (content) => {
    const { text } = await ask(Buffer.from(said(content)));
    expect(text).not.toContain('not UTF-8');
  });
});
