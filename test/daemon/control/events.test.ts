import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redactor } from '../../../core/contract/redact';
import { ControlApi } from '../../../core/daemon/control/control-api';
import type { Operations } from '../../../core/daemon/control/operations';
import { EventStream } from '../../../core/record/event-stream';
import type { LiveEvent } from '../../../core/record/live-event';
import { EventReader } from '../../dashboard/dashboard-client';
import { RawConnection } from '../../gateway/wire';
import { collectGarbage } from '../../setup/collect-garbage';

const LIMITS = { events: 8, characters: 64 * 1024 * 1024 };
let stream: EventStream;
let server: Server;

beforeEach(async () => {
  stream = new EventStream(LIMITS);
  // The part of a daemon that this route needs.
  const api = new ControlApi({ stream, parts: { redactor: new Redactor() } } as unknown as Operations);
  server = createServer((request, response) => api.serve(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const port = () => (server.address() as AddressInfo).port;
const read = (after?: number | string) =>
  EventReader.open(`http://127.0.0.1:${port()}/v1/events${after === undefined ? '' : `?after=${after}`}`);

function publish(name: string): LiveEvent {
  return stream.publish({ kind: 'provider', provider: name, event: { type: 'health', state: 'healthy' } });
}

const names = (reader: EventReader) => reader.live.map((event) => (event.kind === 'provider' ? event.provider : '?'));

test('a reader goes on behind what it saw last', async () => {
  const [, second] = ['a', 'b', 'c', 'd'].map(publish);
  const reader = await read(second!.id);
  publish('e');
  await reader.until(({ lines }) => lines.length === 3);
  expect(names(reader)).toEqual(['c', 'd', 'e']);
});

test('what is gone is told as a gap, with the id to go on from', async () => {
  const first = publish('first');
  for (let index = 0; index < 20; index++) publish(`e${index}`);
  const reader = await read(first.id);
  await reader.until(({ lines }) => lines.length === 9);
  expect(reader.lines[0]).toEqual({ kind: 'gap', from: first.id + 1, to: first.id + 12 });
  expect(names(reader)).toEqual(['e12', 'e13', 'e14', 'e15', 'e16', 'e17', 'e18', 'e19']);
});

test.each(['', '-1', '17', '1e9', '99999999999999999'])(
  'a position that is none of this daemon, %p, is a gap',
  async (after) => {
    publish('a');
    const reader = await read(after);
    publish('b');
    await reader.until(({ live }) => live.length === 2);
    expect(reader.lines[0]).toMatchObject({ kind: 'gap' });
    expect(names(reader)).toEqual(['a', 'b']);
  },
);

test('a position that is no number is refused', async () => {
  expect((await read('x')).response.statusCode).toBe(400);
});

test('a reader without a position is told what happens from then on', async () => {
  publish('before');
  const reader = await read();
  const event = publish('a');
  await reader.until(({ lines }) => lines.length === 1);
  expect(reader.lines).toEqual([event]);
});

test('line breaks in a text do not end an event', async () => {
  const reader = await read();
  publish('a\n\n{}\r\n\u2028b');
  await reader.until(({ lines }) => lines.length === 1);
  expect(names(reader)).toEqual(['a\n\n{}\r\n\u2028b']);
});

test('a reader hears a beat while nothing happens', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
  try {
    const reader = await read();
    jest.advanceTimersByTime(15_000);
    await reader.until(({ lines }) => lines.length === 1);
    expect(reader.lines).toEqual([{ kind: 'beat' }]);
  } finally {
    jest.useRealTimers();
  }
});

test('a reader that does not read costs no memory: it is told of a gap when it does', async () => {
  const connection = await RawConnection.open(port());
  connection.write('GET /v1/events?after=1 HTTP/1.1\r\nHost: x\r\n\r\n');
  await connection.until(/"kind":"gap"/);
  connection.socket.pause();
  await collectGarbage();
  const used = process.memoryUsage().heapUsed;
  const text = 'x'.repeat(256 * 1024);
  for (let index = 0; index < 200; index++) {
    publish(`${index} ${text}`);
    await new Promise(setImmediate);
  }
  // 50 MB were published, the stream keeps 2 of them. When the rest goes is up to the engine.
  await collectGarbage();
  expect(process.memoryUsage().heapUsed - used).toBeLessThan(25 * 1024 * 1024);
  connection.socket.resume();
  publish('last');
  await connection.until(/"provider":"last"/);
  expect(connection.received.match(/"kind":"gap"/g)!.length).toBeGreaterThan(1);
  connection.socket.destroy();
});

test('a reader that leaves is forgotten', async () => {
  const subscribe = jest.spyOn(stream, 'subscribe');
  const reader = await read();
  const [signal] = subscribe.mock.calls[0]!;
  reader.close();
  await once(signal, 'abort');
});

test('a HEAD of the stream is answered at once', async () => {
  const { status, headers } = await fetch(`http://127.0.0.1:${port()}/v1/events`, { method: 'HEAD' });
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
});
