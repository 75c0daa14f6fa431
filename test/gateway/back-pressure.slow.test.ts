import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningGateway } from '../setup/running-gateway';
import { DONE, delta, finish, json, sse, type Upstream } from '../setup/upstream';
import { logged, stop, useScripted, useUpstream } from './scripted-driver';
import { RawConnection } from './wire';

const MB = 1024 * 1024;
const SIZE = 200 * MB;
let gateway: RunningGateway;
let upstream: Upstream;
let size: number;

useUpstream((started) => {
  upstream = started;
  const piece = delta('x'.repeat(64 * 1024));
  upstream.answer(({ method }) => {
    if (method === 'GET') return json({ data: [] });
    return sse([...Array.from({ length: size / 65_536 }, () => piece), finish(), DONE]);
  });
});
useScripted(
  (started) => (gateway = started),
  () => ({
    yaml: `version: "1"
providers:
  - { name: main, driver: scripted, default_model: m }
  - { name: real, driver: chat-compat, default_model: r, base_url: "${upstream.url}/v1" }
`,
  }),
);
// The check loads what HTTP needs.
beforeAll(() => logged(gateway, 'real is healthy', {}));

/** A value of /proc/PID/status, in bytes. */
function memory(name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${gateway.child.pid}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}

/** Asks for a long answer and reads none of it yet. */
async function ask(model: string, length: number): Promise<RawConnection> {
  size = length;
  const connection = await RawConnection.open(gateway.port);
  const body = JSON.stringify({
    model,
    stream: true,
    messages: [{ role: 'user', content: 'x' }],
    script: [{ flood: length }, stop],
  });
  connection.socket.removeAllListeners('data').pause();
  connection.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return connection;
}

/** Reads to the end, and returns how much there was and how it ended. */
async function readAll({ socket, closed }: RawConnection): Promise<{ length: number; tail: string }> {
  let length = 0;
  let tail = '';
  socket.on('data', (part: string) => {
    length += part.length;
    tail = (tail + part).slice(-100);
  });
  socket.resume();
  await closed;
  return { length, tail };
}

// Only Linux tells the peak of another process.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux.each(['main', 'real'])('a reader that stalls costs 16 MB at most, of 200 MB from %s', async (model) => {
  // Code and buffers that every long answer needs are there already.
  await readAll(await ask(model, 32 * MB));
  writeFileSync(`/proc/${gateway.child.pid}/clear_refs`, '5');
  const before = memory('VmRSS');
  const connection = await ask(model, SIZE);
  // That nothing more happens can only be seen by waiting.
  await pause(1500);
  expect(memory('VmHWM') - before).toBeLessThanOrEqual(16 * MB);
  // It has not been given up: the rest arrives when the reader goes on.
  const { length, tail } = await readAll(connection);
  expect(length).toBeGreaterThan(SIZE);
  expect(tail).toContain('data: [DONE]');
});

test('a stalled reader delays no other client', async () => {
  const connection = await ask('main', SIZE);
  expect((await gateway.chat({ model: 'main' })).status).toBe(200);
  connection.socket.destroy();
  await gateway.untilOutput(/"status":499/);
});
