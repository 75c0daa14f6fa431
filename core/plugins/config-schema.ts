import { z } from 'zod';
import { commonOptions, commonSchema, fileSchema, sharedOptions } from '../config/schema';
import type { Manifest } from './manifest';
import type { PluginRegistry } from './registry';

type JsonSchema = Record<string, unknown>;

/** The JSON Schema of providers.yaml: core's options for every provider, and each driver's own for its providers. */
export function configSchema(plugins: PluginRegistry): JsonSchema {
  const manifests = plugins
    .list()
    .filter(({ state }) => state !== 'shadowed')
    .flatMap(({ manifest }) => manifest ?? []);
  const file = toJson(fileSchema);
  const drivers = manifests.flatMap(({ driver, aliases }) => [driver, ...aliases]);
  const provider = {
    type: 'object',
    // A project file may set single fields of a global provider, so only the name is required.
    required: ['name'],
    properties: {
      ...mapValues(commonOptions, toJson),
      driver: { ...toJson(commonSchema.shape.driver), enum: drivers },
    },
    allOf: manifests.map(forDriver),
  };
  const properties = file.properties as Record<string, JsonSchema>;
  return { ...file, properties: { ...properties, providers: { ...properties.providers, items: provider } } };
}

function forDriver({ driver, aliases, options }: Manifest): JsonSchema {
  return {
    if: { properties: { driver: { enum: [driver, ...aliases] } }, required: ['driver'] },
    then: {
      properties: Object.fromEntries(
        Object.entries(options).map(([name, declared]) => [
          name,
          // The manifest refines what core says of a shared option.
          { ...(sharedOptions[name] && toJson(sharedOptions[name])), ...declared },
        ]),
      ),
    },
  };
}

function toJson(schema: z.ZodType): JsonSchema {
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}

function mapValues<T>(record: Record<string, T>, convert: (value: T) => JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value)]));
}
