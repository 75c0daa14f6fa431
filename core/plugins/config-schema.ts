import { clientSchema } from '../config/client-schema';
import { type JsonSchema, jsonSchemaOf } from '../config/json-schema';
import { routeSchema } from '../config/route-schema';
import { commonOptions, commonSchema, fileSchema, sharedOptions } from '../config/schema';
import { driverNames, type Manifest } from './manifest';
import type { PluginRegistry } from './registry';

/** The JSON Schema of providers.yaml: core's options for every provider, and each driver's own for its providers. */
export function configSchema(plugins: PluginRegistry): object {
  const manifests = plugins.manifests();
  const file = jsonSchemaOf(fileSchema);
  const drivers = manifests.flatMap(driverNames);
  const provider = {
    type: 'object',
    // A project file may set single fields of a global provider, so only the name is required.
    required: ['name'],
    properties: {
      ...mapValues(commonOptions, (_name, schema) => jsonSchemaOf(schema)),
      driver: { ...jsonSchemaOf(commonSchema.shape.driver), enum: drivers },
    },
    allOf: manifests.map(forDriver),
  };
  const providers = { ...file.properties?.providers, items: provider };
  // A project file may set single fields of a global route, too.
  const routes = { ...file.properties?.routes, items: { ...jsonSchemaOf(routeSchema), required: ['name'] } };
  const clients = { ...file.properties?.clients, items: jsonSchemaOf(clientSchema) };
  return { ...file, properties: { ...file.properties, providers, routes, clients } };
}

function forDriver(manifest: Manifest): object {
  return {
    if: { properties: { driver: { enum: driverNames(manifest) } }, required: ['driver'] },
    then: {
      // The manifest refines what core says of a shared option.
      properties: mapValues(manifest.options, (name, declared) => {
        const shared = sharedOptions[name];
        return { ...(shared && jsonSchemaOf(shared)), ...declared };
      }),
    },
  };
}

function mapValues<T>(record: Record<string, T>, convert: (name: string, value: T) => JsonSchema) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(name, value)]));
}
