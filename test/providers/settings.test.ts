import { commonDefaults } from '../../core/config/schema';
import { parseManifest } from '../../core/plugins/manifest';
import { settingsOf } from '../../core/providers/settings';

const manifest = parseManifest(
  JSON.stringify({
    ...{ apiVersion: 1, driver: 'parrot', kind: 'cli', main: './index.js' },
    options: { client_tools: { type: 'boolean', default: true }, own: { type: 'boolean', default: false } },
    capabilities: { tools: true, images: true, choices: true },
    withoutCapabilities: {
      names: ['tools', 'images'],
      options: {
        anyOf: [
          { type: 'object', properties: { client_tools: { const: false } } },
          { type: 'object', properties: { own: { const: true } } },
        ],
      },
    },
  }),
);

const capabilities = (driver: Record<string, unknown>) =>
  settingsOf(
    { driver: 'parrot', directory: '/p', codeDirectory: '/p', source: 'user', state: 'ready', manifest },
    { common: { name: 'p', driver: 'parrot', ...commonDefaults() }, driver, problems: [], warnings: [], held: [] },
  ).capabilities;

test('a provider lacks the capabilities that its options switch off, and no others', () => {
  expect(capabilities({ client_tools: true, own: false })).toMatchObject({ tools: true, images: true, choices: true });
  for (const options of [
    { client_tools: false, own: false },
    { client_tools: true, own: true },
  ]) {
    expect(capabilities(options)).toMatchObject({ tools: false, images: false, choices: true });
  }
});
