import { makeLogger } from '../../../core/contract/make-logger';
import { serverSettings } from '../../../plugins/delta-cli/agent-servers';
import type { HandedServer } from '../../../plugins/_shared/cli/tool-servers';
import { TempHome } from '../../setup/temp-home';

const home = new TempHome();
const before = process.env.CODEX_HOME;
beforeAll(() => {
  home.write('config.toml', '[mcp_servers.taken]\ncommand = "x"\n');
  process.env.CODEX_HOME = home.directory;
});
afterAll(() => {
  if (before === undefined) delete process.env.CODEX_HOME;
  else process.env.CODEX_HOME = before;
  home.remove();
});

const address = (url: string, type: 'http' | 'sse' = 'http') =>
  ({ kind: 'address', url, headers: { 'X-A': 'secret-1', Authorization: 'secret-2' }, type }) as const;

async function settingsFor(...servers: HandedServer[]) {
  const warnings: string[] = [];
  const log = makeLogger((_, message) => void warnings.push(message));
  const redact = (text: string) => text.replace('known-key', '...');
  const handed = { servers, write: () => '', release: () => undefined };
  return { ...(await serverSettings(handed, { log }, { redact }, { OPENAI_API_KEY: 'k' })), warnings };
}

test('a program is named by its script, and gets the environment by the names of its variables', async () => {
  process.env.SOME_OTHER = 'x';
  const reach = { kind: 'script' as const, command: '/bin/sh', args: ['/private/box.sh'] };
  const { settings, env } = await settingsFor({ name: 'taken', reach, timeoutMs: 1500, only: ['a'] });
  delete process.env.SOME_OTHER;
  expect(env).toEqual({});
  expect(settings.find((setting) => setting.includes('env_vars'))).toMatch(/"SOME_OTHER".*"DRIVEBAY_RUN_ID"/);
  // The user has a server of that name.
  expect(settings.filter((setting) => !setting.includes('env_vars'))).toEqual([
    'mcp_servers.taken_drivebay.command="/bin/sh"',
    'mcp_servers.taken_drivebay.args=["/private/box.sh"]',
    'mcp_servers.taken_drivebay.startup_timeout_sec=60',
    'mcp_servers.taken_drivebay.tool_timeout_sec=2',
    'mcp_servers.taken_drivebay.default_tools_approval_mode="approve"',
    'mcp_servers.taken_drivebay.enabled_tools=["a"]',
  ]);
});

test('headers of an address stand in the environment', async () => {
  const { settings, env } = await settingsFor({ name: 'my-web', reach: address('http://h/'), timeoutMs: 1000 });
  expect(env).toEqual({ MCP_HEADER_MY_WEB_1: 'secret-1', MCP_HEADER_MY_WEB_2: 'secret-2' });
  expect(settings.slice(0, 2)).toEqual([
    'mcp_servers.my-web.url="http://h/"',
    'mcp_servers.my-web.env_http_headers={"X-A"="MCP_HEADER_MY_WEB_1","Authorization"="MCP_HEADER_MY_WEB_2"}',
  ]);
});

test.each<[string, HandedServer['reach'], string]>([
  ['the older SSE', address('http://h/', 'sse'), 'Codex does not speak the older SSE'],
  ['an address with a key', address('http://h/?k=known-key'), 'its address has a key in it'],
])('%s is left out, with a warning', async (_, reach, reason) => {
  const { settings, warnings } = await settingsFor({ name: 'web', reach, timeoutMs: 1000 });
  expect([settings, warnings]).toEqual([[], [expect.stringContaining(reason)]]);
});
