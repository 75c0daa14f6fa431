import type { Fault } from '../config/explain-issue';
import type { DetectedBinary, DetectedKey, DetectedPort } from './detect';
import { entrySchemasOf, explainSchema, explainValue } from './entry-schema';
import type { Manifest } from './manifest';

const KEY_OPTION = 'api_key_env';

/** Finds the mistakes in the `detect` of a manifest. An item with one finds nothing; the plug-in still works. */
export function explainDetect(manifest: Manifest): Fault[] {
  const { binaries = [], keys = [], ports = [] } = manifest.detect ?? {};
  const explain = <Item>(name: string, items: Item[], faultsOf: (item: Item, manifest: Manifest) => Fault[]) =>
    items.flatMap((item, index) =>
      faultsOf(item, manifest).map(({ path, message }) => ({ path: ['detect', name, index, ...path], message })),
    );
  return [
    ...explain('binaries', binaries, explainBinary),
    ...explain('keys', keys, explainKey),
    ...explain('ports', ports, explainPort),
  ];
}

export function explainBinary({ provider }: DetectedBinary, manifest: Manifest): Fault[] {
  return explainEntry(provider, manifest, []);
}

export function explainKey({ provider }: DetectedKey, manifest: Manifest): Fault[] {
  const taken = Object.hasOwn(manifest.options, KEY_OPTION);
  const faults = taken ? [] : [{ path: ['variables'], message: `the manifest declares no option ${KEY_OPTION}` }];
  return [...faults, ...explainEntry(provider, manifest, [KEY_OPTION])];
}

export function explainPort({ provider, answer, models }: DetectedPort, manifest: Manifest): Fault[] {
  return [
    ...explainEntry(provider, manifest, []),
    ...explainSchema(answer, ['answer']),
    ...models.flatMap(({ only }, index) => (only ? explainSchema(only, ['models', index, 'only']) : [])),
  ];
}

/** `added` are the options that the sighting itself sets. */
function explainEntry(provider: { name: string }, manifest: Manifest, added: readonly string[]): Fault[] {
  const { options, required } = manifest;
  const wrong = Object.entries(provider).flatMap(([name, value]) => {
    const path = ['provider', name];
    if (name === 'driver') return [{ path, message: 'it is the one of the manifest' }];
    const schemas = entrySchemasOf(name, options);
    return schemas ? explainValue(schemas, value, path) : [{ path, message: 'the manifest declares no such option' }];
  });
  const missing = required
    .filter((name) => !Object.hasOwn(provider, name) && !added.includes(name) && options[name]?.default === undefined)
    .map((name) => ({ path: ['provider', name], message: 'a provider of this driver must set it' }));
  return [...wrong, ...missing];
}
