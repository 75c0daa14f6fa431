import { bundledPlugins } from '../../core/plugins/discover';
import { explainDetect } from '../../core/plugins/explain-detect';
import { type Manifest, parseManifest } from '../../core/plugins/manifest';
import { formatFault } from '../../core/config/explain-issue';

function manifest(detect: object, more: object = {}): Manifest {
  const whole = { apiVersion: 1, driver: 'x', kind: 'http', main: './x', options: { height: { type: 'integer' } } };
  return parseManifest(JSON.stringify({ ...whole, detect, ...more }));
}

const explained = (own: Manifest) => explainDetect(own).map((fault) => formatFault(fault, 'the file'));
const binary = (provider: object) => ({ binaries: [{ names: ['x'], provider }] });
const port = (more: object) => ({ ports: [{ port: 1, path: '/', answer: {}, provider: { name: 'x' }, ...more }] });

test.each(bundledPlugins().map(({ driver, manifest: own }) => [driver, own!] as const))(
  'that of %s is valid',
  (_, own) => {
    expect(own.detect).toBeDefined();
    expect(explainDetect(own)).toEqual([]);
  },
);

test.each([
  [
    'an option that there is not',
    binary({ name: 'x', width: 1 }),
    'detect.binaries[0].provider.width: the manifest declares no such option',
  ],
  [
    'a value that the option does not take',
    binary({ name: 'x', height: 'high' }),
    'detect.binaries[0].provider.height: found the text "high", expected a whole number',
  ],
  [
    'a common option of the wrong type',
    binary({ name: 'x', mode: 'fast' }),
    'detect.binaries[0].provider.mode: found the text "fast", expected one of stream, call',
  ],
  ['a driver', binary({ name: 'x', driver: 'y' }), 'detect.binaries[0].provider.driver: it is the one of the manifest'],
  [
    'a key for a driver without keys',
    { keys: [{ variables: ['K'], provider: { name: 'x' } }] },
    'detect.keys[0].variables: the manifest declares no option api_key_env',
  ],
  [
    'a schema that is none',
    port({ answer: { type: 'bird' } }),
    'detect.ports[0].answer: it cannot be used: Unsupported type: bird',
  ],
])('%s is named', (_, detect, issue) => {
  expect(explained(manifest(detect))).toEqual([issue]);
});

test('an option that every provider must set has to be given', () => {
  const own = manifest(binary({ name: 'x' }), { options: { base_url: {} }, required: ['base_url'] });
  expect(explained(own)).toEqual(['detect.binaries[0].provider.base_url: a provider of this driver must set it']);
});

test.each([
  ['a name that no provider can have', binary({ name: 'a b' }), 'detect.binaries[0].provider.name'],
  ['a path without its slash', port({ path: 'x' }), 'detect.ports[0].path'],
  ['a port that there is not', port({ port: 70_000 }), 'detect.ports[0].port'],
])('%s makes the manifest invalid', (_, detect, field) => {
  expect(() => manifest(detect)).toThrow(field);
});
