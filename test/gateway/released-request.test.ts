import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { RawConnection } from './wire';

const home = new TempHome();
let gateway: RunningGateway;

/** Looks, in the middle of its answer, whether anything still keeps the first message of its request. */
const CODE = `
const { setImmediate: turn } = require('node:timers/promises');
require('node:v8').setFlagsFromString('--expose-gc');
const collect = require('node:vm').runInNewContext('gc');
module.exports = () => ({ chat: (request) => answer(new WeakRef(request.messages[0].parts[0])), async check() {} });
async function* answer(part) {
  yield { type: 'text', text: 'begun ' };
  for (let round = 0; round < 4; round += 1) {
    await turn();
    collect();
  }
  yield { type: 'text', text: part.deref() ? 'kept' : 'let go' };
  yield { type: 'finish', reason: 'stop' };
}`;

/** The first request hangs until its client leaves. The second one looks whether anything still keeps that connection. */
const LEFT = `
const { setImmediate: turn } = require('node:timers/promises');
require('node:v8').setFlagsFromString('--expose-gc');
const collect = require('node:vm').runInNewContext('gc');
let left;
module.exports = () => ({ async *chat(request, { signal }) {
  if (!left) {
    const port = Number(request.messages[0].parts[0].text);
    left = new WeakRef(process._getActiveHandles().find(({ remotePort }) => remotePort === port));
    yield { type: 'text', text: 'begun' };
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }
  for (let round = 0; round < 4; round += 1) {
    await turn();
    collect();
  }
  yield { type: 'text', text: left.deref() ? 'kept' : 'let go' };
  yield { type: 'finish', reason: 'stop' };
}, async check() {} });`;

beforeAll(async () => {
  home.plugin('looking', { code: CODE });
  home.plugin('left', { code: LEFT });
  home.configure(`version: "1"
providers:
  - { name: looking, driver: looking, default_model: m }
  - { name: left, driver: left, default_model: m }
routes:
  - { name: way, targets: [looking] }
`);
  gateway = await RunningGateway.start([], { env: home.environment() });
});

afterAll(async () => {
  await gateway.stop();
  home.remove();
});

const user = [{ role: 'user', content: 'Hello' }];
const DOORS = {
  'chat/completions': { messages: user },
  messages: { max_tokens: 10, messages: user },
  responses: { store: false, input: user },
};

test.each(['looking', 'way'].flatMap((model) => Object.keys(DOORS).map((door) => [model, door] as const)))(
  'the request of a stream is not kept while its answer runs: model %s, /v1/%s',
  async (model, door) => {
    const body = JSON.stringify({ model, stream: true, ...DOORS[door as keyof typeof DOORS] });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${gateway.url}/v1/${door}`, { method: 'POST', headers, body });
    const text = await response.text();
    expect(text).toContain('let go');
  },
);

test('the connection of a client that left is not kept with what is known of its request', async () => {
  const connection = await RawConnection.open(gateway.port);
  const messages = [{ role: 'user', content: String(connection.socket.localPort) }];
  const body = JSON.stringify({ model: 'left', stream: true, messages });
  const head = 'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  await connection.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`).until(/begun/);
  connection.socket.destroy();
  await gateway.untilOutput(/status=499/);
  expect(await (await gateway.chat({ model: 'left' })).text()).toContain('let go');
});
