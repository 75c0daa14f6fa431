import { messageOf } from '../errors';
import type { DetectedBinary, DetectedKey, DetectedPort } from './detect';
import { entrySchemasOf, explainValue } from './entry-schema';
import type { Manifest } from './manifest';
import { zodOf } from './zod-of';

const KEY_OPTION = 'api_key_env';

/** Finds the mistakes in the `detect` of a manifest. An item with one finds nothing; the plug-in still works. */
export function explainDetect(manifest: Manifest): string[] {
  const { binaries = [], keys = [], ports = [] } = manifest.detect ?? {};
  const explain = <Item>(name: string, items: Item[], issuesOf: (item: Item, manifest: Manifest) => string[]) =>
    items.flatMap((item, index) => issuesOf(item, manifest).map((issue) => `detect.${name}[${index}].${issue}`));
  return [
    ...explain('binaries', binaries, explainBinary),
    ...explain('keys', keys, explainKey),
    ...explain('ports', ports, explainPort),
  ];
}

export function explainBinary({ provider }: DetectedBinary, manifest: Manifest): string[] {
  return explainEntry(provider, manifest, []);
}

export function explainKey({ provider }: DetectedKey, manifest: Manifest): string[] {
  const taken = Object.hasOwn(manifest.options, KEY_OPTION);
  const issues = taken ? [] : [`variables: the manifest declares no option ${KEY_OPTION}`];
  return [...issues, ...explainEntry(provider, manifest, [KEY_OPTION])];
}

export function explainPort({ provider, answer, models }: DetectedPort, manifest: Manifest): string[] {
  return [
    ...explainEntry(provider, manifest, []),
    ...explainSchema('answer', answer),
    ...models.flatMap(({ only }, index) => (only ? explainSchema(`models[${index}].only`, only) : [])),
  ];
}

/** `added` are the options that the sighting itself sets. */
function explainEntry(provider: { name: string }, manifest: Manifest, added: readonly string[]): string[] {
  const { options, required } = manifest;
  const wrong = Object.entries(provider).flatMap(([name, value]) => {
    if (name === 'driver') return ['provider.driver: it is the one of the manifest'];
    const schemas = entrySchemasOf(name, options);
    if (!schemas) return [`provider.${name}: the manifest declares no such option`];
    return explainValue(schemas, value).map((issue) => `provider.${name}: ${issue}`);
  });
  const missing = required
    .filter((name) => !Object.hasOwn(provider, name) && !added.includes(name) && options[name]?.default === undefined)
    .map((name) => `provider.${name}: a provider of this driver must set it`);
  return [...wrong, ...missing];
}

function explainSchema(name: string, schema: Record<string, unknown>): string[] {
  try {
    zodOf(schema);
    return [];
  } catch (error) {
    return [`${name}: ${messageOf(error)}`];
  }
}
