import { DaemonHome } from '../setup/daemon-home';
import { RunningGateway } from '../setup/running-gateway';

const home = new DaemonHome();
let gateway: RunningGateway;

const LONG = `const page = 'x'.repeat(1_000_000);`;
const TALKER = `${LONG}
module.exports = ({ error, log }) => ({
  async *chat() {
    log.warn(page);
    throw error('upstream', page, { hint: page });
  },
  async check() {
    throw error('unreachable', page);
  },
  async *diagnose() {
    yield { topic: 'other', severity: 'warning', message: page, fix: page };
  },
});`;

const KEY = 'talkers-key-0123456789';
/** Ends a line of the log in the middle of the key. */
const LEAKER = `module.exports = ({ apiKey }) => ({
  async *chat(_, { log }) {
    log.warn('y'.repeat(3990) + apiKey() + 'y'.repeat(1000));
    yield { type: 'text', text: 'said' };
    yield { type: 'finish', reason: 'stop' };
  },
  async check() {},
});`;

beforeAll(async () => {
  home.plugin('talker', { code: TALKER });
  home.plugin('loader', { code: `${LONG}\nthrow new Error(page);` });
  home.plugin('leaker', { code: LEAKER, manifest: { options: { api_key_env: { default: 'LEAKER_KEY' } } } });
  home.providers(
    ...['talker', 'loader', 'leaker'].map((driver, at) => `name: ${'abc'[at]}, driver: ${driver}, default_model: m`),
  );
  gateway = await RunningGateway.start([], { env: home.environment({ LEAKER_KEY: KEY }) });
});

afterAll(() => gateway.stop());

const LONGEST = 20_000;

test('what a plug-in says at length is cut in answers, in the log and on terminals', async () => {
  for (const model of ['a', 'b']) {
    const answer = await (await gateway.chat({ model })).text();
    expect(answer).toMatch(/x{1000} \.\.\. \(\d+ more characters\)/);
    expect(answer.length).toBeLessThan(LONGEST);
  }
  await gateway.untilOutput(/chat .*model=b/);
  for (const words of [
    ['doctor'],
    ['doctor', '--json'],
    ['plugins', 'list'],
    ['providers', 'status', '--json'],
    ['models'],
  ]) {
    const { stdout, stderr } = await home.run(...words);
    for (const line of `${stdout}${stderr}${gateway.stderr}`.split('\n')) expect(line.length).toBeLessThan(LONGEST);
  }
});

test('a long line of the log shows no part of a key', async () => {
  await gateway.chat({ model: 'c' });
  await gateway.untilOutput(/chat .*model=c/);
  expect(gateway.stderr).toMatch(/y{3990}\[redacted\] \.\.\. \(\d+ more characters\)/);
  expect(gateway.stderr).not.toContain(KEY.slice(0, 8));
});
