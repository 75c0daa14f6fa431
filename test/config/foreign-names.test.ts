import { configured } from './configured';

const { load, lines } = configured();

const PROVIDERS = 'version: "1"\nproviders: [{ name: a, driver: x }]\n';
const told = (yaml: string) => {
  const { problems, warnings } = load(PROVIDERS + yaml);
  return lines([...problems, ...warnings]).join('\n');
};

test.each([
  ['model_list: []', 'each is an entry of providers: - { name: NAME, driver: DRIVER, default_model: MODEL }'],
  ['services: {}', 'each is an entry of providers: '],
  ['router_settings: {}', 'is an entry of routes, see: drivebay docs routes'],
  ['general_settings: {}', 'see: drivebay serve --help'],
  ['port: 8080', 'see: drivebay serve --help'],
  ['api_key: abc', 'keys are never in this file: '],
  ['master_key: abc', 'drivebay clients new NAME'],
  ['mcpServers: {}', 'tool servers stand in mcp.json'],
  ['default_model: m', 'default_model: unknown key, ignored; it belongs to an entry of providers'],
  ['base_url: http://h', 'it belongs to an entry of providers'],
  ['routes: [{ name: r, use: [a] }]', 'routes[0].use: unknown key, ignored; did you mean targets?'],
  ['routes: [{ name: r, use: [a] }]', 'expected a list of at least 1 item; did you mean targets where it says use?'],
  ['routes: [{ name: r, targets: [a], strategy: x }]', 'did you mean order?'],
  ['routes: [{ name: r, targets: [{ provider: a, model: m }] }]', 'write it as PROVIDER, PROVIDER:MODEL or { target: '],
  [
    'routes: [{ name: r, targets: [a/m] }]',
    'found the text "a/m", expected the name of a provider or of a route without a star; did you mean a:m?',
  ],
  ['routes: [{ name: r, targets: [b/m] }]', 'providers: a, r'],
  ['clients: [{ name: c, api_key_env: C, allow: [a/m/n] }]', 'did you mean a:m/n?'],
  ['clients: [{ name: c, api_key_env: C, models: [a] }]', 'did you mean allow?'],
  ['clients: [{ name: c, api_key_env: C, rpm: 3 }]', 'did you mean requests_per_minute?'],
  [
    'clients: [{ name: c, api_key_env: C, limits: {} }]',
    'requests_per_minute, tokens_per_minute and budget_usd stand beside the name',
  ],
  ['clients: [{ name: c, key: abc }]', 'clients[0].key: unknown key, ignored; keys are never in this file: '],
])('%s of other programs leads to what it is here', (yaml, hint) => {
  expect(told(yaml)).toContain(hint);
});

test('another name for driver is the one at fault', () => {
  const { problems } = load('version: "1"\nproviders: [{ name: a, provider: openai }]\n');
  expect(lines(problems).join()).toContain('did you mean driver where it says provider?');
});
