import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendBody, sendLongText } from '../../core/serving/send';

const LONG = JSON.stringify('ü€😀'.repeat(1_500_000));
let server: Server;
/** What a handler's work came to. */
let sent: Promise<unknown>;

beforeAll(async () => {
  server = createServer((_, response) => {
    sent = Promise.resolve(sendLongText(response, 200, LONG, { 'x-more': 'yes' }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

async function ask(): Promise<IncomingMessage> {
  const [response] = (await once(get({ port: (server.address() as AddressInfo).port, agent: false }), 'response')) as [
    IncomingMessage,
  ];
  return response;
}

test('a long answer arrives whole, with its length in bytes', async () => {
  const response = await ask();
  const body = Buffer.concat(await response.toArray());
  expect(response.headers).toMatchObject({ 'content-length': String(body.length), 'x-more': 'yes' });
  expect(body.toString() === LONG).toBe(true);
  await sent;
});

test('it waits for a client that does not read, and ends when that leaves', async () => {
  const response = await ask();
  let isSent = false;
  const watched = sent.then(() => (isSent = true));
  await once(response, 'readable');
  expect(isSent).toBe(false);
  response.destroy();
  await watched;
});

test('a body of another type says that type alone', async () => {
  const own = createServer((_, response) => sendBody(response, 200, 'ü', { 'content-type': 'text/plain' }));
  await once(own.listen(0, '127.0.0.1'), 'listening');
  const { port } = own.address() as AddressInfo;
  const [{ rawHeaders }] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage];
  own.close();
  const told = rawHeaders.filter((_, at) => /^content-/i.test(rawHeaders[at - (at % 2)]!));
  expect(told.sort()).toEqual(['2', 'content-length', 'content-type', 'text/plain']);
});
