import type { RunningGateway } from '../setup/running-gateway';
import { delta, givenUp, json, type Piece, posted, posts, STALL, sse, type Upstream } from '../setup/upstream';
import { logged, type Step, text, useScripted, useUpstream } from './scripted-driver';
import { RawConnection } from './wire';

let gateway: RunningGateway;
let upstream: Upstream;
let pieces: Piece[];

useUpstream((started) => {
  upstream = started;
  upstream.answer(({ method }) => (method === 'GET' ? json({ data: [] }) : sse(pieces)));
});
useScripted(
  (started) => (gateway = started),
  () => ({
    yaml: `version: "1"
default_provider: main
providers:
  - { name: main, driver: scripted, default_model: m }
  - { name: agent, driver: agent }
  - { name: real, driver: chat-compat, default_model: r, base_url: "${upstream.url}/v1" }
  - { name: one, driver: eta, default_model: o, base_url: "${upstream.url}", api_key_env: A_KEY }
  - { name: two, driver: epsilon, default_model: t, base_url: "${upstream.url}/v1", api_key_env: A_KEY, wire: responses }
routes: [{ name: both, targets: [one, two] }]
`,
    env: { A_KEY: 'key-of-a-test' },
  }),
);

/** A request that the client gives up as soon as `ready` resolves. */
async function giveUp(body: Record<string, unknown>, ready: () => Promise<unknown>): Promise<void> {
  const abort = new AbortController();
  const asked = gateway.chat(body, { signal: abort.signal }).then(
    async (response) => {
      await response.text().catch(() => undefined);
    },
    () => undefined,
  );
  await ready();
  abort.abort();
  await asked;
}

let unique = 0;
/** A script that says its own name when it begins. */
function script(...steps: Step[]): { script: Step[]; begun: () => Promise<unknown> } {
  const name = `turn ${(unique += 1)}`;
  return { script: [{ say: name }, ...steps], begun: () => logged(gateway, name, {}) };
}

describe.each([false, true])('a client that leaves, streamed: %s,', (stream) => {
  test.each<[string, string, Step[]]>([
    ['before the head of the answer', 'main', []],
    ['of an agent CLI', 'agent', []],
    ['before the first token', 'main', [{ type: 'meta', model: 'x' }]],
    ['in the middle of the answer', 'main', [text('Hel')]],
  ])('%s, ends the turn', async (_name, model, before) => {
    const moment = `moment ${(unique += 1)}`;
    const { script: steps, begun } = script(...before, { say: moment }, { hang: true });
    await giveUp({ model, stream, script: steps }, () => logged(gateway, moment, {}));
    const { id } = (await begun()) as { id: string };
    expect(await logged(gateway, 'turn aborted', { id })).toMatchObject({ reason: 'client_gone' });
    await logged(gateway, 'turn ended', { id });
    expect(await logged(gateway, 'chat', { id })).toMatchObject({ status: 499 });
  });

  test('closes the connection to the backend, before its answer and in the middle of it', async () => {
    for (pieces of [[STALL], [delta('Hel'), STALL]]) {
      const count = posts(upstream).length + 1;
      await giveUp({ model: 'real', stream }, () => posted(upstream, count));
      await givenUp(upstream, await posted(upstream, count));
    }
    await upstream.until(() => upstream.openStreams === 0);
  });
});

test.each([
  ['/v1/messages/count_tokens', 'one'],
  ['/v1/messages/count_tokens', 'both'],
])('a client that leaves %s of %s ends the count of the backend', async (path, model) => {
  pieces = [STALL];
  const count = posts(upstream).length + 1;
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], input: 'Hello' });
  const connection = await RawConnection.open(gateway.port);
  connection.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const asked = await posted(upstream, count);
  const left = Date.now();
  connection.socket.destroy();
  await givenUp(upstream, asked);
  // The limit of a count is 5 s.
  expect(Date.now() - left).toBeLessThan(4_000);
  await logged(gateway, 'count', { provider: model, status: 499 });
});

/** Resolves when the gateway has surely taken in what was sent to it before: it reads its sockets in turns. */
async function untilAccepted(): Promise<void> {
  for (let n = 0; n < 3; n += 1) await (await fetch(`${gateway.url}/health`)).text();
}

test('a client that leaves while it still sends starts nothing', async () => {
  const connection = await RawConnection.open(gateway.port);
  const body = JSON.stringify({
    model: 'main',
    messages: [{ role: 'user', content: 'x' }],
    script: [{ say: 'never said' }],
  });
  connection.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length + 10}\r\n\r\n${body}`,
  );
  await untilAccepted();
  connection.socket.destroy();
  // It looks like a client that has ended its side of the connection, and would read an answer.
  await gateway.untilOutput(/"status":400[^\n]*ended before its body/);
  expect(gateway.stderr).not.toContain('never said');
});
