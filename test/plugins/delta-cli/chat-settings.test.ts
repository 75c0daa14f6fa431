import { chatSettings } from '../../../plugins/delta-cli/chat-settings';
import { TempHome } from '../../setup/temp-home';

const home = new TempHome();
const before = process.env;

beforeAll(() => void (process.env = { ...before, CODEX_HOME: home.directory }));
afterAll(() => {
  process.env = before;
  home.remove();
});

const switchedOff = async () => (await chatSettings()).filter((setting) => setting.startsWith('mcp_servers'));

test('without a configuration there are none', async () => {
  expect(await switchedOff()).toEqual([]);
});

test('each server that is on is switched off by its name', async () => {
  home.write(
    'config.toml',
    [
      '# [mcp_servers.comment]',
      'model = "[mcp_servers.text]"',
      '[mcp_servers.files]',
      'command = "npx"',
      '[mcp_servers.files.env]',
      'A = "b"',
      '[mcp_servers."with-quotes"]',
      'url = "https://x"',
      '[mcp_servers.off]',
      'command = "x"',
      'enabled = false',
      '[mcp_servers."no.name"]',
      'command = "x"',
    ].join('\n'),
  );
  expect(await switchedOff()).toEqual(['mcp_servers.files.enabled=false', 'mcp_servers.with-quotes.enabled=false']);
});

test.each(['mcp_servers = 5', 'mcp_servers = [', 'mcp_servers.x = 1'])('%j is left to the CLI', async (toml) => {
  home.write('config.toml', toml);
  expect(await switchedOff()).toEqual([]);
});
