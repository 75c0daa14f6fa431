import type { RunningGateway } from '../setup/running-gateway';
import { useScripted } from './scripted-driver';
import { type Json, type RawAnswer, RawConnection } from './wire';

let gateway: RunningGateway;
useScripted((started) => (gateway = started));

const DOORS = [
  ['/v1/chat/completions', 'chat'],
  ['/v1/embeddings', 'chat'],
  ['/v1/responses', 'chat'],
  ['/v1/messages', 'messages'],
  ['/anthropic/v1/messages', 'messages'],
  ['/v1/messages/count_tokens?beta=true', 'messages'],
  ['/v1/messages#top', 'messages'],
  ['http://localhost/v1/messages', 'messages'],
] as const;

const head = (path: string, ...more: string[]) =>
  `${[`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...more].join('\r\n')}\r\n\r\n`;

/** The error of an answer, after checking that it has the form of its wire. */
function errorAt({ text, headers }: RawAnswer, form: 'chat' | 'messages'): Json {
  const body = JSON.parse(text) as { error: Json };
  const id = headers['x-request-id'];
  expect(id).toMatch(/^req_/);
  if (form === 'messages') expect([body, headers['request-id']]).toMatchObject([{ type: 'error', request_id: id }, id]);
  else expect([Object.keys(body), body.error.param]).toEqual([['error'], null]);
  return body.error;
}

test.each(DOORS)('at %s a body that is cut short is an error in the form of the API', async (path, form) => {
  const connection = await RawConnection.open(gateway.port);
  connection.write(head(path, 'Content-Length: 100') + '{"model":');
  connection.socket.end();
  const answer = await connection.answer();
  expect([answer.status, errorAt(answer, form).message]).toEqual([400, 'the request ended before its body']);
});

function hangingCall(...script: unknown[]): string {
  const message = { role: 'user', content: 'Hi' };
  const body = JSON.stringify({
    model: 'main',
    stream: true,
    messages: [message],
    script: [...script, { hang: true }],
  });
  return head('/v1/chat/completions', `Content-Length: ${body.length}`) + body;
}

test.each([
  ['a request whose answer has begun', ''],
  ['a request that waits for it', hangingCall()],
])('bytes behind %s end the connection, and are not answered inside of the answer', async (_what, next) => {
  const connection = await RawConnection.open(gateway.port);
  connection.write(hangingCall({ type: 'text', text: 'begun' }));
  await connection.until(/begun/);
  connection.write(`${next}this is no request\r\n\r\n`);
  await connection.closed;
  expect(connection.received).not.toContain('HTTP/1.1 400');
});
