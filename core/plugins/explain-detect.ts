import { z } from 'zod';
import { commonOptions } from '../config/schema';
import { messageOf } from '../errors';
import type { DetectedBinary, DetectedKey, DetectedPort } from './detect';
import type { Manifest } from './manifest';
import { optionSchemas } from './option-schema';

/**
 * What is wrong with the `detect` of a manifest: entries that would not be valid, schemas that cannot be used. Such an
 * item finds nothing, and the plug-in works all the same.
 */
export function explainDetect(manifest: Manifest): string[] {
  const { binaries = [], keys = [], ports = [] } = manifest.detect ?? {};
  const name = (sort: string) => (issues: string[], index: number) =>
    issues.map((issue) => `detect.${sort}[${index}].${issue}`);
  return [
    ...binaries.map((item) => explainBinary(item, manifest)).flatMap(name('binaries')),
    ...keys.map((item) => explainKey(item, manifest)).flatMap(name('keys')),
    ...ports.map((item) => explainPort(item, manifest)).flatMap(name('ports')),
  ];
}

export function explainBinary({ provider }: DetectedBinary, manifest: Manifest): string[] {
  return explainEntry(provider, manifest, []);
}

export function explainKey({ provider }: DetectedKey, manifest: Manifest): string[] {
  const taken = Object.hasOwn(manifest.options, KEY_OPTION);
  return [
    ...(taken ? [] : [`variables: the manifest declares no option ${KEY_OPTION}`]),
    ...explainEntry(provider, manifest, [KEY_OPTION]),
  ];
}

export function explainPort({ provider, answer, models }: DetectedPort, manifest: Manifest): string[] {
  return [
    ...explainEntry(provider, manifest, []),
    ...explainSchema('answer', answer),
    ...models.flatMap(({ only }, index) => (only ? explainSchema(`models[${index}].only`, only) : [])),
  ];
}

const KEY_OPTION = 'api_key_env';

/** `added` are the options that the sighting itself sets. */
function explainEntry(provider: { name: string }, manifest: Manifest, added: readonly string[]): string[] {
  const { options, required } = manifest;
  const wrong = Object.entries(provider).flatMap(([name, value]) => {
    if (name === 'driver') return ['provider.driver: it is the one of the manifest'];
    const common = Object.hasOwn(commonOptions, name) ? commonOptions[name] : undefined;
    const declared = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!common && !declared) return [`provider.${name}: the manifest declares no such option`];
    const schemas = common ? [common] : optionSchemas(name, declared!);
    const isGood = schemas.every((schema) => schema.safeParse(value).success);
    return isGood ? [] : [`provider.${name}: not a value that the option allows`];
  });
  const missing = required
    .filter((name) => !Object.hasOwn(provider, name) && !added.includes(name) && options[name]?.default === undefined)
    .map((name) => `provider.${name}: a provider of this driver must set it`);
  return [...wrong, ...missing];
}

function explainSchema(name: string, schema: Record<string, unknown>): string[] {
  try {
    z.fromJSONSchema(schema);
    return [];
  } catch (error) {
    return [`${name}: ${messageOf(error)}`];
  }
}
