import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';

const home = new TempHome();
let gateway: RunningGateway;

/** Says how many bytes the old objects take, once the young ones that nothing keeps are gone. Asked for that alone, and by itself. */
const CODE = `
const { setImmediate: turn } = require('node:timers/promises');
const v8 = require('node:v8');
v8.setFlagsFromString('--expose-gc');
const collect = require('node:vm').runInNewContext('gc');
module.exports = () => ({ chat: answer, async check() {} });
async function* answer({ messages }) {
  await turn();
  yield { type: 'text', text: messages[0].parts[0].text === 'look' ? bytes() : 'Hello' };
  yield { type: 'finish', reason: 'stop' };
}
function bytes() {
  for (let round = 0; round < 2; round += 1) collect({ type: 'minor' });
  const spaces = v8.getHeapSpaceStatistics();
  return String(spaces.find(({ space_name: name }) => name === 'old_space').space_used_size);
}`;

beforeAll(async () => {
  home.plugin('looking', { code: CODE });
  home.configure('version: "1"\nproviders:\n  - { name: looking, driver: looking, default_model: m }\n');
  gateway = await RunningGateway.start([], { env: home.environment() });
});

afterAll(async () => {
  await gateway.stop();
  home.remove();
});

async function ask(content: string): Promise<string> {
  const body = JSON.stringify({ model: 'looking', messages: [{ role: 'user', content }] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
  const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
  return choices[0].message.content;
}

/** Side by side: such requests must not keep each other. Returns the bytes of the old objects afterwards. */
async function askOften(count: number): Promise<number> {
  const row = async () => {
    for (let asked = 0; asked < count / 8; asked += 1) await ask('Hello');
  };
  await Promise.all(Array.from({ length: 8 }, row));
  return Number(await ask('look'));
}

test('requests that have ended are gone without a full collection', async () => {
  const before = await askOften(600);
  const after = await askOften(1000);
  // What stays on purpose: the events of a request, and for a while its record.
  expect((after - before) / 1000).toBeLessThan(5000);
});
