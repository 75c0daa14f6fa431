import { DaemonHome } from '../setup/daemon-home';
import { HEALTHY } from '../setup/driver-code';

const home = new DaemonHome();

beforeAll(() => {
  const options = { gateway_tools: { type: 'boolean', default: false } };
  home.plugin('agent', { code: `module.exports = () => (${HEALTHY});`, manifest: { kind: 'cli', options } });
  home.configure('version: "1"\nproviders:\n  - { name: mine, driver: agent, gateway_tools: true }\n');
});

const REFUSAL =
  /^error: provider "mine" lets chats of the gateway use its tools \(gateway_tools, .*providers\.yaml:3:\d+\), so the gateway needs a key\n {2}run: drivebay serve --api-key-env NAME/m;

test('serve demands a key where chats may use the tools of an agent', async () => {
  const { code, stderr } = await home.run('serve', '--port', '1');
  expect(stderr).toMatch(REFUSAL);
  expect(code).toBe(2);
});

test.each(['sk-abcdefgh', 'gskAbcdefgh1234567890xyz', 'two words'])(
  'a key in the place of its name is shown nowhere: %s',
  async (key) => {
    const { code, stdout, stderr } = await home.run('serve', '--api-key-env', key);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: --api-key-env wants the NAME of an environment variable/);
    expect(stderr).not.toContain(key);
  },
);

test('so does serve on a daemon that runs', async () => {
  await home.start();
  const { code, stderr } = await home.run('serve', '--port', '1');
  expect(stderr).toMatch(REFUSAL);
  expect(code).toBe(2);
});
