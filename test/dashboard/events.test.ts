import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lastEventId, sendEvents } from '../../core/dashboard/event-feed';
import { EventStream } from '../../core/record/event-stream';
import type { LiveEvent } from '../../core/record/live-event';
import { RawConnection } from '../gateway/wire';
import { collectGarbage } from '../setup/collect-garbage';
import { DaemonHome } from '../setup/daemon-home';
import { RunningGateway } from '../setup/running-gateway';
import { DashboardClient, EventReader } from './dashboard-client';

const LIMITS = { events: 8, characters: 64 * 1024 * 1024 };
let stream: EventStream;
let server: Server;
let closing: AbortController;
/** How many are being sent to. */
let open: number;

beforeEach(async () => {
  stream = new EventStream(LIMITS);
  closing = new AbortController();
  open = 0;
  server = createServer((request, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    closing.signal.addEventListener('abort', () => gone.abort());
    const after = lastEventId(request.headers, new URL(request.url!, 'http://x').searchParams.get('after'));
    open += 1;
    void sendEvents(response, { stream, after, gone: gone.signal }).then(() => {
      open -= 1;
      server.emit('sent');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  closing.abort();
  server.closeAllConnections();
  server.close();
});

const port = () => (server.address() as AddressInfo).port;
const read = (after?: number | string, headers = {}) =>
  EventReader.open(`http://127.0.0.1:${port()}/${after === undefined ? '' : `?after=${after}`}`, headers);

function publish(name: string): LiveEvent {
  return stream.publish({ kind: 'provider', provider: name, event: { type: 'health', state: 'healthy' } });
}

const names = (reader: EventReader) => reader.live.map((event) => (event.kind === 'provider' ? event.provider : '?'));

test('one that comes back goes on behind what it saw last, whatever its address says', async () => {
  const [first, second] = ['a', 'b', 'c', 'd'].map(publish);
  const reader = await read(first!.id, { 'last-event-id': String(second!.id) });
  publish('e');
  await reader.until(({ frames }) => frames.length === 3);
  expect(names(reader)).toEqual(['c', 'd', 'e']);
});

test('what is gone is told as a gap, with the id to go on from', async () => {
  const first = publish('first');
  for (let index = 0; index < 20; index++) publish(`e${index}`);
  const reader = await read(first.id);
  await reader.until(({ frames }) => frames.length === 9);
  const gap = { kind: 'gap', from: first.id + 1, to: first.id + 12 };
  expect(reader.frames[0]).toEqual({ event: 'gap', id: String(gap.to), data: gap });
  expect(names(reader)).toEqual(['e12', 'e13', 'e14', 'e15', 'e16', 'e17', 'e18', 'e19']);
});

test('an id of a daemon before this one, or of one whose clock ran ahead, is a gap', async () => {
  publish('a');
  const [older, newer] = await Promise.all([read(17), read(stream.lastId + 1_000_000)]);
  publish('b');
  for (const reader of [older, newer]) {
    await reader.until(({ live }) => live.some((event) => event.kind === 'provider' && event.provider === 'b'));
    expect(reader.frames[0]).toMatchObject({ event: 'gap' });
  }
  expect(names(newer)).toEqual(['b']);
});

test.each([undefined, '', 'x', '-1', '1e9', '99999999999999999'])(
  'a reader without a position, or with one that is no id, %p, is told what happens from then on',
  async (after) => {
    publish('before');
    const reader = await read(after);
    const event = publish('a');
    await reader.until(({ frames }) => frames.length === 1);
    expect(reader.frames).toEqual([{ id: String(event.id), data: event }]);
  },
);

test('line breaks in a text do not end an event', async () => {
  const reader = await read();
  publish('a\n\ndata: {}\r\n\u2028b');
  await reader.until(({ frames }) => frames.length === 1);
  expect(names(reader)).toEqual(['a\n\ndata: {}\r\n\u2028b']);
});

test('a reader that does not read costs no memory: it is told of a gap when it does', async () => {
  const connection = await RawConnection.open(port());
  connection.write('GET /?after=1 HTTP/1.1\r\nHost: x\r\n\r\n');
  await connection.until(/retry: /);
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
  expect(connection.received.match(/event: gap/g)!.length).toBeGreaterThan(1);
  connection.socket.destroy();
});

test('a reader that leaves is forgotten', async () => {
  const reader = await read();
  await new Promise<void>((resolve) => {
    server.once('sent', () => resolve());
    reader.close();
  });
  expect(open).toBe(0);
});

// A daemon that waited for its readers would need the 10 s that running answers have.
test('any number of readers may watch, and a daemon that ends waits for none of them', async () => {
  const home = new DaemonHome();
  const gateway = await RunningGateway.start(['--demo'], { env: home.environment() });
  const client = await DashboardClient.open(home);
  const readers = await Promise.all(Array.from({ length: 30 }, () => client.events()));
  expect(readers.map(({ response }) => response.statusCode)).toEqual(readers.map(() => 200));
  const deaf = await RawConnection.open(gateway.port);
  deaf.write(`GET /dashboard/api/events?after=1 HTTP/1.1\r\nHost: localhost\r\nCookie: ${client.cookie}\r\n\r\n`);
  await deaf.until(/retry: /);
  deaf.socket.pause();
  const started = performance.now();
  expect(await gateway.stop()).toBe(0);
  expect(performance.now() - started).toBeLessThan(9_500);
  await Promise.all(readers.map((reader) => reader.closed()));
  expect(gateway.stderr).not.toMatch(/Warning/);
  deaf.socket.destroy();
});
