import { adviseOnModel } from '../../core/plugins/advise-model';
import { parseManifest, PLUGIN_API_VERSION } from '../../core/plugins/manifest';

const manifest = parseManifest(
  JSON.stringify({
    ...{ apiVersion: PLUGIN_API_VERSION, driver: 'parrot', kind: 'http', main: './index.js' },
    clients: [
      { name: 'magpie', title: 'Magpie', programs: ['m'] },
      {
        ...{ name: 'crow', title: 'Crow', programs: ['crow'], asksFor: ['caw-*', 'c.w'] },
        environment: { CROW_URL: '{url}', CROW_MODEL: '{model}', CROW_SMALL: '{small_model}', OLD: null },
      },
      { name: 'jay', title: 'Jay', programs: ['jay'], asksFor: ['jay-*-mini'] },
    ],
  }),
);

test.each([
  [
    'caw-5',
    'Crow asks for such names: start it by drivebay launch crow, or set CROW_MODEL, CROW_SMALL to a name such as a:m',
  ],
  ['jay-4-mini', 'Jay asks for such names: start it by drivebay launch jay'],
  ['jay-4', 'set the model of the client to a name that the gateway has, such as a:m'],
  ['caw', 'set the model of the client to a name that the gateway has, such as a:m'],
  ['cow', 'set the model of the client to a name that the gateway has, such as a:m'],
])('%s: %s', (model, advice) => {
  expect(adviseOnModel(model, [manifest], 'a:m')).toBe(advice);
});
