import type { RunningGateway } from '../setup/running-gateway';
import { useScripted } from './scripted-driver';
import { errorOf, post, RawConnection } from './wire';

const LIMIT = 4_194_304;
let gateway: RunningGateway;
useScripted((started) => (gateway = started));

const head = (...more: string[]) =>
  `${['POST /v1/chat/completions HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...more].join('\r\n')}\r\n\r\n`;

/** A chat request of exactly so many bytes. */
function body(length: number): string {
  const around = JSON.stringify({ model: 'main', messages: [{ role: 'user', content: '' }] });
  return around.replace('""', `"${'x'.repeat(length - around.length)}"`);
}

function expectTooLarge(answer: { status: number; headers: Record<string, string>; text: string }): void {
  expect(answer.status).toBe(413);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.headers['x-request-id']).toMatch(/^req_/);
  expect(errorOf(answer.text)).toMatchObject({ code: 'request_too_large', type: 'invalid_request_error', param: null });
}

test('4 194 304 bytes pass, with a length and in chunks', async () => {
  const response = await post(gateway, body(LIMIT));
  expect(response.status).toBe(200);

  const connection = await RawConnection.open(gateway.port);
  const text = body(LIMIT);
  connection.write(head('Transfer-Encoding: chunked', 'Connection: close'));
  connection.write(`${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`);
  expect((await connection.answer()).status).toBe(200);
});

test('a byte more is refused, and the answer can be read by a client that sends all of it first', async () => {
  const response = await post(gateway, body(LIMIT + 1));
  expect(response.status).toBe(413);
  expect(errorOf(await response.text()).code).toBe('request_too_large');
});

test('an announced length is refused before a byte of it is sent', async () => {
  const connection = await RawConnection.open(gateway.port);
  connection.write(head('Content-Length: 5000000000'));
  expectTooLarge(await connection.answer());
});

test('a client that asks first is told, and is not invited to send', async () => {
  const connection = await RawConnection.open(gateway.port);
  connection.write(head(`Content-Length: ${LIMIT + 1}`, 'Expect: 100-continue'));
  const answer = await connection.answer();
  expect(answer.raw).not.toContain('100 Continue');
  expectTooLarge(answer);
});

test('a client that asks first and stays below the limit is invited', async () => {
  const connection = await RawConnection.open(gateway.port);
  const text = body(100);
  connection.write(head(`Content-Length: ${text.length}`, 'Expect: 100-continue', 'Connection: close'));
  await connection.until(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
  connection.write(text);
  await connection.closed;
  expect(connection.received).toContain('HTTP/1.1 200 OK');
});

test('a client that asks first with another spelling of the target has the limit of the door', async () => {
  const connection = await RawConnection.open(gateway.port);
  const lines = head(`Content-Length: ${LIMIT + 1}`, 'Expect: 100-continue');
  connection.write(lines.replace('/v1/chat/completions', 'http://localhost/v1/messages#top'));
  await connection.until(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
  connection.socket.destroy();
});

test('chunks without an end are refused at the limit, and the connection ends although they go on', async () => {
  const connection = await RawConnection.open(gateway.port);
  connection.write(head('Transfer-Encoding: chunked'));
  const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  let sent = 0;
  const send = () => {
    while (!connection.socket.destroyed) {
      sent += piece.length;
      if (!connection.socket.write(piece)) return;
    }
  };
  connection.socket.on('drain', send);
  send();
  expectTooLarge(await connection.answer());
  // What is under way in the sockets' own buffers comes on top.
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test('the gateway goes on as before', async () => {
  expect((await gateway.chat({ model: 'main' })).status).toBe(200);
});
