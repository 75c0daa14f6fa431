import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { DeviceServer, type Offered } from '../../core/agents/device-server';

const TOOL = {
  name: 'llm_other',
  description: 'Asks.',
  parameters: { type: 'object', properties: { prompt: { type: 'string' } } },
};

let server: DeviceServer;
const clients: Client[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.close();
});

async function open(call: Offered['call']) {
  server = new DeviceServer({ tools: [TOOL], call });
  const reach = await server.open();
  if (reach.kind !== 'address') throw new Error('it has an address');
  return { ...reach, url: new URL(reach.url) };
}

async function connect(call: Offered['call']): Promise<Client> {
  const { url, headers } = await open(call);
  const client = new Client({ name: 'program', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  clients.push(client);
  return client;
}

/** A call that ends with its signal only, and says why. */
function hanging() {
  let begin!: () => void;
  let end!: (reason: string) => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<string>((resolve) => (end = resolve));
  const call: Offered['call'] = (_name, _input, signal) => {
    begin();
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        end((signal.reason as Error).message);
        reject(signal.reason as Error);
      }),
    );
  };
  return { call, begun, ended };
}

test('a client of the protocol sees the tools, and gets what a call gives', async () => {
  const client = await connect((name, input) => {
    const isError = name !== 'llm_other';
    return Promise.resolve({ content: [{ type: 'text', text: `${name} ${input}` }], isError });
  });
  const { parameters: inputSchema, ...rest } = TOOL;
  expect((await client.listTools()).tools).toEqual([{ ...rest, inputSchema }]);
  const result = await client.callTool({ name: 'llm_other', arguments: { prompt: 'hi' } });
  expect(result).toMatchObject({ content: [{ type: 'text', text: 'llm_other {"prompt":"hi"}' }], isError: false });
  expect(await client.callTool({ name: 'other' })).toMatchObject({ content: [{ text: 'other {}' }], isError: true });
  await client.ping();
});

test('a call that the client cancels is ended', async () => {
  const { call, begun, ended } = hanging();
  const client = await connect(call);
  const abort = new AbortController();
  const asked = client.callTool({ name: 'llm_other' }, undefined, { signal: abort.signal }).catch(() => 'left');
  await begun;
  abort.abort();
  expect(await asked).toBe('left');
  expect(await ended).toBe('the program has cancelled the call');
});

test('a call whose client is gone is ended', async () => {
  const { call, begun, ended } = hanging();
  const { url, headers } = await open(call);
  const abort = new AbortController();
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'llm_other' } });
  const asked = fetch(url, { method: 'POST', headers, body, signal: abort.signal });
  await Promise.all([asked, begun]);
  abort.abort();
  expect(await ended).toBe('the program has left the call');
});

test('its end ends the calls that go on, and nobody reaches it any more', async () => {
  const { call, begun, ended } = hanging();
  const { url, headers } = await open(call);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'llm_other' } });
  const asked = fetch(url, { method: 'POST', headers, body }).then((response) => response.text());
  asked.catch(() => undefined);
  await begun;
  await server.close();
  expect(await ended).toMatch(/^the program has /);
  await expect(asked).rejects.toThrow();
  await expect(fetch(url)).rejects.toThrow();
});

test.each<[string, number, Record<string, string>]>([
  ['without the secret', 401, { authorization: '' }],
  ['with a wrong secret', 401, { authorization: 'Bearer x' }],
  ['from a page', 403, { origin: 'http://127.0.0.1' }],
  ['by another name', 403, { host: 'localhost' }],
  ['with what is no message', 400, {}],
])('a request %s is %i', async (_, status, more) => {
  const { url, headers } = await open(() => Promise.reject(new Error('never')));
  const answered = new Promise<number | undefined>((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers: { ...headers, ...more } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('error', reject);
    asked.end('[');
  });
  expect(await answered).toBe(status);
});
