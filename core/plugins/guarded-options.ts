import { type JsonSchema, jsonSchemaOf } from '../config/json-schema';
import { commonOptions, sharedOptions } from '../config/schema';
import type { Guard } from '../config/trust';
import type { PluginRegistry } from './registry';

/** The formats of a URL, a path and a command. */
const FORMATS = [
  'uri',
  'uri-reference',
  'iri',
  'iri-reference',
  'url',
  'path',
  'file-path',
  'directory-path',
  'command',
];

/** Decides by the manifests. `guarded` in the schema of an option has the last word, except for the options of core. */
export function guardOf(plugins: PluginRegistry): Guard {
  return (driver, option, value) => {
    if (Object.hasOwn(commonOptions, option)) return false;
    if (Object.hasOwn(sharedOptions, option) && guards(jsonSchemaOf(sharedOptions[option]!))) return true;
    const manifest = driver === undefined ? undefined : plugins.find(driver)?.manifest;
    if (!manifest || !Object.hasOwn(manifest.options, option)) return false;
    const declared = manifest.options[option] as JsonSchema;
    // A schema without a type takes an object, too.
    const isByDefault = value.kind === 'map' || manifest.permissionOptions.includes(option);
    return guards(declared) || (declared.guarded === undefined && isByDefault);
  };
}

function guards({ guarded, format, type, properties, items, anyOf = [], oneOf = [], allOf = [] }: JsonSchema): boolean {
  if (guarded !== undefined) return guarded;
  if (format !== undefined && FORMATS.includes(format)) return true;
  if (properties || [type].flat().includes('object')) return true;
  return [items ?? [], anyOf, oneOf, allOf].flat().some((part) => typeof part === 'object' && guards(part));
}
