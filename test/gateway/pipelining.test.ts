import type { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { logged, logLines, PROVIDERS, startScripted, type Step, stop, text, useScripted } from './scripted-driver';
import { RawConnection } from './wire';

let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  // No provider has this model.
  () => ({ yaml: PROVIDERS.replace('default_provider: main\n', '') }),
);

const START = 'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

/** A chat as one packet. A field `stream` makes its answer a stream. */
function chat(script: Step[], { headers = '', ...fields }: Record<string, unknown> = {}): string {
  const body = JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'x' }], ...fields, script });
  return `${START}${headers as string}Content-Length: ${body.length}\r\n\r\n${body}`;
}

const whole = (name: string, ...before: Step[]) => chat([...before, text(name), stop]);
const stream = (name: string, ...before: Step[]) =>
  chat([...before, text(`${name}-`), { pause: 5 }, text(name), stop], { stream: true });

async function send(packet: string): Promise<RawConnection> {
  return (await RawConnection.open(gateway.port)).write(packet);
}

/** The statuses that came, in order, and the texts of the answers. */
function came({ received }: RawConnection): { statuses: number[]; texts: string[] } {
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  const texts = [...received.matchAll(/"content":"([^"]+)"/g)].map(([, content]) => content!);
  return { statuses, texts };
}

/** The status in the log of the call whose script says this. */
async function statusOf(name: string): Promise<unknown> {
  const { id } = await logged(gateway, name, {});
  return (await logged(gateway, 'chat', { id: id })).status;
}

test('of twenty requests in one packet, each has its own answer, in order, although the last one is ready first', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `n${at}`);
  const asked = names.map((name, at) => (at % 2 ? whole : stream)(name, { pause: (20 - at) * 3 }));
  const connection = await send(asked.join(''));
  await connection.until(/"n19"/);
  expect(came(connection).statuses).toEqual(names.map(() => 200));
  expect(came(connection).texts).toEqual(names.flatMap((name, at) => (at % 2 ? [name] : [`${name}-`, name])));
  connection.socket.destroy();
});

test('failures in the middle keep their place', async () => {
  const failed = chat([{ fail: ['auth', 'no key'] }]);
  const broken = chat([text('cut'), { fail: ['auth', 'no key'] }], { stream: true });
  const connection = await send(
    whole('first', { pause: 30 }) + failed + broken + chat([], { model: 5 }) + whole('last'),
  );
  await connection.until(/"last"/);
  expect(came(connection)).toEqual({ statuses: [200, 502, 200, 400, 200], texts: ['first', 'cut', 'last'] });
  connection.socket.destroy();
});

test('a body that is too large is refused behind the answer to the request before it', async () => {
  const connection = await send(`${whole('first', { pause: 50 })}${START}Content-Length: 99999999\r\n\r\nxxxx`);
  await connection.closed;
  expect(came(connection)).toEqual({ statuses: [200, 413], texts: ['first'] });
});

test('CONNECT is not answered in the place of the request before it', async () => {
  const connection = await send(`${chat([{ hang: true }])}CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await connection.closed;
  expect(connection.received).toBe('');
});

test.each([
  ['Connection: close', chat([{ pause: 20 }, text('only'), stop], { headers: 'Connection: close\r\n' })],
  ['HTTP/1.0', whole('only', { pause: 20 }).replace('HTTP/1.1', 'HTTP/1.0')],
])('bytes behind a request with %s do not take its answer', async (_what, request) => {
  const connection = await send(`${request}${whole('more')}`);
  connection.write('more');
  await connection.closed;
  expect(came(connection)).toEqual({ statuses: [200], texts: ['only'] });
});

test('a client that leaves ends all of its calls, also those whose turn has not come', async () => {
  const calls = ['turn 1', 'turn 2', 'turn 3'].map((say) => chat([{ say }, { hang: true }]));
  const connection = await send(`${calls.join('')}GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const { id } = await logged(gateway, 'turn 3', {});
  connection.socket.destroy();
  await logged(gateway, 'request', { path: '/openapi.json', status: 499 });
  await logged(gateway, 'turn aborted', { id, reason: 'client_gone' });
  for (const name of ['turn 1', 'turn 2', 'turn 3']) expect(await statusOf(name)).toBe(499);
});

test.each([false, true])(
  'an answer whose turn never comes is told as one that did not leave, streamed: %s',
  async (streamed) => {
    const begun = `begun ${streamed}`;
    const ready = `ready ${streamed}`;
    const connection = await send(
      chat([{ say: begun }, { hang: true }]) + chat([{ say: ready }, text('x'), stop], { stream: streamed }),
    );
    const { id } = await logged(gateway, ready, {});
    await logged(gateway, 'turn ended', { id });
    connection.socket.destroy();
    expect([await statusOf(begun), await statusOf(ready)]).toEqual([499, 499]);
  },
);

test('a count that needs no provider is also logged as one that did not leave', async () => {
  const body = JSON.stringify({ model: 'unknown', messages: [{ role: 'user', content: 'x' }] });
  const head = START.replace('chat/completions', 'messages/count_tokens');
  const count = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const connection = await send(chat([{ hang: true }]) + count + chat([{ say: 'behind a count' }, { hang: true }]));
  await logged(gateway, 'behind a count', {});
  connection.socket.destroy();
  expect(await logged(gateway, 'count', {})).toMatchObject({ model: 'unknown', status: 499 });
});

test('a client that leaves in the middle of a long answer is told as one that left', async () => {
  const connection = await send(chat([{ say: 'long' }, { flood: 32 * 1024 * 1024 }, stop]));
  connection.socket.pause();
  const { id } = await logged(gateway, 'long', {});
  await logged(gateway, 'turn ended', { id });
  expect(logLines(gateway).some((line) => line.msg === 'chat' && line.id === id)).toBe(false);
  connection.socket.destroy();
  expect(await statusOf('long')).toBe(499);
});

test('a gateway that ends answers all requests of a connection that it has begun', async () => {
  const home = new TempHome();
  const ending = await startScripted(home);
  const opener = chat([{ open: 'end' }, stop]);
  const later = await RawConnection.open(ending.port);
  later.write(opener.slice(0, -1));
  const connection = await RawConnection.open(ending.port);
  connection.write(
    whole('first', { until: 'end' }) + whole('second', { say: 'second begun' }, { until: 'end' }, { pause: 50 }),
  );
  await logged(ending, 'second begun', {});
  const stopped = ending.stop();
  await ending.untilOutput(/running answers have 10 s/);
  later.write(opener.slice(-1));
  await connection.closed;
  expect(came(connection)).toEqual({ statuses: [200, 200], texts: ['first', 'second'] });
  expect(await stopped).toBe(0);
  home.remove();
});

async function isOpen(port: number): Promise<boolean> {
  const probe = await RawConnection.open(port).catch(() => undefined);
  probe?.socket.destroy();
  return probe !== undefined;
}

test('a gateway that ends does not cut answers that a slow client still reads', async () => {
  const home = new TempHome();
  const ending = await startScripted(home);
  const connection = await RawConnection.open(ending.port);
  connection.socket.pause();
  connection.write(chat([{ flood: 900_000 }, stop]).repeat(12));
  const count = (name: string) => logLines(ending).filter(({ msg }) => msg === name).length;
  // As many as the system takes: the next one is written, and has not left.
  await ending.untilOutput({ test: () => count('turn ended') === 12 && count('chat') > 3 });
  const stopped = ending.stop();
  while (await isOpen(ending.port));
  connection.socket.resume();
  await connection.closed;
  expect(connection.received.match(/"finish_reason":"stop"/g)).toHaveLength(12);
  expect(await stopped).toBe(0);
  home.remove();
});

test('an answer is logged as one that did not leave if its client stops reading before its turn', async () => {
  const connection = await RawConnection.open(gateway.port);
  connection.socket.pause();
  const fence = async () => (await fetch(`${gateway.url}/health`)).text();
  let name = '';
  // Until the buffers of the system are full: then the small stream behind does not get its turn.
  for (let at = 0; at === 0 || hasTurn(name); at += 1) {
    name = `behind ${at}`;
    connection.write(chat([{ flood: 900_000 }, stop]) + stream(name, { say: name }));
    await logged(gateway, 'turn ended', { id: (await logged(gateway, name, {})).id });
    await fence();
  }
  connection.socket.end();
  await fence();
  connection.socket.resume();
  expect(await statusOf(name)).toBe(499);
});

/** Whether the answer to the call with this name is on its way. */
function hasTurn(name: string): boolean {
  const lines = logLines(gateway);
  const { id } = lines.find(({ msg }) => msg === name)!;
  return lines.some((line) => line.msg === 'chat' && line.id === id);
}
