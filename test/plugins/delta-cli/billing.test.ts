import { configuredBilling } from '../../../plugins/delta-cli/billing';
import { TempHome } from '../../setup/temp-home';
import { DEFAULTS, start } from './harness';

const home = new TempHome();
const before = process.env;

beforeAll(() => void (process.env = { ...before, CODEX_HOME: home.directory }));
beforeEach(() => home.write('config.toml', ''));
afterAll(() => {
  process.env = before;
  home.remove();
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

test('a check says who pays, and starts nothing', async () => {
  const harness = await start();
  expect(await harness.driver.check(harness.call())).toEqual({
    detail: `${harness.cli.command}, billing: the program's login`,
  });
  expect(harness.cli.runs).toEqual([]);
  await harness.close();
});
