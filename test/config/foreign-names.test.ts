import { configured } from './configured';

const { load, lines } = configured();

const PROVIDERS = 'version: "1"\nproviders: [{ name: a, driver: x }]\n';
const told = (yaml: string) => {
  const { problems, warnings } = load(PROVIDERS + yaml);
  return lines([...problems, ...warnings]).join('\n');
};

test.each([
  [
    'routes: [{ name: r, targets: [a/m] }]',
    'found the text "a/m", expected the name of a provider or of a route without a star; did you mean a:m?',
  ],
  ['routes: [{ name: r, targets: [b/m] }]', 'providers: a, r'],
  ['clients: [{ name: c, api_key_env: C, allow: [a/m/n] }]', 'did you mean a:m/n?'],
])('%s, as other gateways write it, leads to what it is here', (yaml, hint) => {
  expect(told(yaml)).toContain(hint);
});

test('another name for driver is the one at fault', () => {
  const { problems } = load('version: "1"\nproviders: [{ name: a, provider: openai }]\n');
  expect(lines(problems).join()).toContain('did you mean driver where it says provider?');
});
