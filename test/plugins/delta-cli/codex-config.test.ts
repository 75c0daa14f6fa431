import type { Diagnosis } from 'drivebay/plugin';
import { configuredBilling } from '../../../plugins/delta-cli/billing';
import { chatSettings } from '../../../plugins/delta-cli/chat-settings';
import { topic } from '../../setup/diagnosed';
import { TempHome } from '../../setup/temp-home';
import { DEFAULTS, start } from './harness';

const home = new TempHome();
const before = process.env;

beforeAll(() => void (process.env = { ...before, CODEX_HOME: home.directory }));
afterAll(() => {
  process.env = before;
  home.remove();
});

const SERVERS = `
# [mcp_servers.comment]
model = "[mcp_servers.text]"
[mcp_servers.files]
command = "npx"
[mcp_servers.files.env]
A = "b"
[mcp_servers."with-quotes"]
url = "https://x"
[mcp_servers.off]
command = "x"
enabled = false
[mcp_servers."no.name"]
command = "x"
`;

test.each([
  [SERVERS, ['mcp_servers.files.enabled=false', 'mcp_servers.with-quotes.enabled=false']],
  ['', []],
  // The CLI itself refuses these.
  ['mcp_servers = 5', []],
  ['mcp_servers = [', []],
  ['mcp_servers.x = 1', []],
])('with the configuration %j a chat switches these servers off: %j', async (toml, expected) => {
  home.write('config.toml', toml);
  const settings = await chatSettings();
  expect(settings.filter((setting) => setting.startsWith('mcp_servers'))).toEqual(expected);
});

test.each([
  ['', undefined, undefined],
  ['', 'MY_KEY', 'api-key (MY_KEY)'],
  ['', 'CODEX_ACCESS_TOKEN', 'subscription (CODEX_ACCESS_TOKEN)'],
  ['model_provider = "openai"', 'MY_KEY', 'api-key (MY_KEY)'],
  ['model_provider = "x"\n[model_providers.x]\nenv_key = "X_KEY"', 'MY_KEY', 'api-key (X_KEY)'],
  ['model_provider = "x"\n[model_providers.x]\nenv_key = "X_KEY"', undefined, 'api-key (X_KEY)'],
  ['model_provider = "ollama"', undefined, 'model provider "ollama" of codex'],
  ['model_provider = [', undefined, undefined],
])('the configuration %j with api_key_env %s pays from %s', async (toml, keyName, expected) => {
  home.write('config.toml', toml);
  expect(await configuredBilling({ ...DEFAULTS, ...(keyName && { api_key_env: keyName }) })).toBe(expected);
});

const OWN = 'model_provider = "x"\n[model_providers.x]\n';

test.each([
  [`${OWN}env_key = "X_KEY"`, { X_KEY: 'k' }, 'ok', undefined],
  [`${OWN}env_key = "X_KEY"`, {}, 'broken', 'export X_KEY=... before drivebay starts'],
  [`${OWN}env_key = "OPENAI_API_KEY"`, { OPENAI_API_KEY: 'k' }, 'broken', 'set api_key_env: OPENAI_API_KEY'],
  [OWN, {}, 'ok', undefined],
])('the configuration %j with the environment %j needs no login: %s, %s', async (toml, environment, severity, fix) => {
  home.write('config.toml', toml);
  process.env = { ...process.env, X_KEY: undefined, ...environment };
  const harness = await start();
  harness.script([{ stderr: 'Not logged in\n' }]);
  const findings: Diagnosis[] = [];
  for await (const finding of harness.driver.diagnose(harness.call())) findings.push(finding);
  await harness.close();
  expect(topic(findings, 'login')).toMatchObject({ severity, ...(fix !== undefined && { fix }) });
});
