import type { Fault } from '../config/explain-issue';
import { commonOptions } from '../config/schema';
import { declaredSchemas, explainSchema, explainValue } from './entry-schema';

/** The fields of a manifest that are about options. */
interface Declared {
  options: Record<string, Record<string, unknown>>;
  permissionOptions: string[];
  actsWithoutAsking?: Record<string, unknown>;
  withoutCapabilities?: { names: string[]; options: Record<string, unknown> };
  capabilities: Record<string, unknown>;
}

/** Finds schemas that cannot be used now, and names of options that there are not, so that only their own plug-in fails. */
export function explainOptions(manifest: Declared): Fault[] {
  const { options, permissionOptions, actsWithoutAsking, withoutCapabilities, capabilities } = manifest;
  const unusable = Object.entries(options).flatMap(([name, declared]) => explainOption(name, declared));
  const unknown = [...permissionOptions.entries()].filter(([, name]) => !Object.hasOwn(options, name));
  const without = (withoutCapabilities?.names ?? []).map((name, index) => [index, name] as const);
  return [
    ...unknown.map(([index, name]) => ({
      path: ['permissionOptions', index],
      message: `the manifest declares no option ${name}`,
    })),
    ...unusable,
    ...explainSchema(actsWithoutAsking ?? {}, ['actsWithoutAsking']),
    ...explainSchema(withoutCapabilities?.options ?? {}, ['withoutCapabilities', 'options']),
    ...without
      .filter(([, name]) => capabilities[name] !== true)
      .map(([index, name]) => ({
        path: ['withoutCapabilities', 'names', index],
        message: `the manifest declares no capability ${name}`,
      })),
  ];
}

function explainOption(name: string, declared: Record<string, unknown>): Fault[] {
  const path = ['options', name];
  if (Object.hasOwn(commonOptions, name))
    return [{ path, message: 'every provider has this option, it cannot be declared' }];
  const faults = explainSchema(declared, path);
  if (faults.length > 0) return faults;
  return explainValue(declaredSchemas(name, declared), declared.default, [...path, 'default']);
}
