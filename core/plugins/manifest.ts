import { z } from 'zod';
import { formatPath } from '../config/describe-found';
import { explainJson } from '../config/explain-json';
import { commonOptions } from '../config/schema';
import { optionSchemas } from './option-schema';

/** The version of the contract this program speaks. */
export const PLUGIN_API_VERSION = 1;

export const manifestSchema = z
  .looseObject({
    apiVersion: z.int().describe('Version of the plug-in contract this driver is written for'),
    driver: z
      .string()
      .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'expected lower-case words joined by hyphens')
      .describe('The value of `driver` in providers.yaml'),
    aliases: z.array(z.string()).default([]).describe('Further names of the same driver'),
    kind: z.enum(['cli', 'http']).describe('cli: runs a program; http: calls a server'),
    main: z
      .string()
      .regex(/^\.\//, 'expected a path that starts with "./"')
      .refine((path) => !path.split('/').includes('..'), 'expected a path inside the plug-in folder')
      .describe('The module whose default export is the driver factory; the extension may be left out'),
    summary: z.string().default('').describe('One line for `drivebay plugins list`'),
    version: z.string().optional().describe('Default: the version in package.json beside the manifest'),
    homepage: z.string().optional(),
    options: z
      .record(z.string(), z.record(z.string(), z.unknown()))
      .default({})
      .describe('The provider options this driver takes: name to JSON Schema, with `default` and `description`'),
    required: z.array(z.string()).default([]).describe('Options that a provider must set'),
    permissionOptions: z
      .array(z.string())
      .default([])
      .describe('Of an agent CLI: the options above that say what its own tools may do; warnings name them'),
    capabilities: z
      .looseObject({
        tools: z.boolean().default(false),
        forcedToolChoice: z.boolean().default(false),
        images: z.boolean().default(false),
        audio: z.boolean().default(false),
        files: z.boolean().default(false),
        choices: z.boolean().default(false),
      })
      .prefault({})
      .describe('What the driver can do with a request; what it cannot is refused or reported before it is called'),
    builtinProvider: z
      .looseObject({ name: z.string() })
      .optional()
      .describe(
        'Plug-ins of drivebay itself only: the provider to register when there is no configuration file, or for the demo',
      ),
    detect: z.record(z.string(), z.unknown()).optional().describe('How `drivebay init` finds this backend'),
  })
  .describe('Drivebay plug-in manifest');

export type Manifest = z.infer<typeof manifestSchema>;
export type DriverKind = Manifest['kind'];
export type Capabilities = Manifest['capabilities'];

/** Parses a manifest's text. Throws an Error whose message says what is wrong with it, in one line. */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`manifest.json is not JSON: ${(error as Error).message}`);
  }
  // The version is looked at first: a manifest of another version may well have another shape.
  const version = z.object({ apiVersion: z.int() }).safeParse(value);
  if (version.success && version.data.apiVersion !== PLUGIN_API_VERSION) {
    throw new Error(explainVersion(version.data.apiVersion));
  }
  const parsed = manifestSchema.safeParse(value);
  const issues = parsed.success
    ? explainOptions(parsed.data)
    : explainJson(manifestSchema, value, parsed.error.issues, { showTexts: true }).map(
        ({ path, message }) => `${formatPath('', path) || 'the file'}: ${message}`,
      );
  if (parsed.success && issues.length === 0) return parsed.data;
  throw new Error(`manifest.json is not valid: ${issues.join('; ')}`);
}

/** A schema that cannot be used is the plug-in's fault: found here, it leaves every other plug-in running. */
function explainOptions({ options, permissionOptions }: Manifest): string[] {
  const unknown = permissionOptions
    .filter((name) => !Object.hasOwn(options, name))
    .map((name) => `permissionOptions: the manifest declares no option ${name}`);
  const unusable = Object.entries(options).flatMap(([name, declared]) => {
    if (Object.hasOwn(commonOptions, name))
      return [`options.${name}: every provider has this option, it cannot be declared`];
    try {
      const schemas = optionSchemas(name, declared);
      if (declared.default === undefined) return [];
      if (schemas.every((schema) => schema.safeParse(declared.default).success)) return [];
      return [`options.${name}: its default is not a value that it allows`];
    } catch (error) {
      return [`options.${name}: ${(error as Error).message}`];
    }
  });
  return [...unknown, ...unusable];
}

function explainVersion(wanted: number): string {
  const upgrade = wanted > PLUGIN_API_VERSION ? 'upgrade drivebay' : 'upgrade the plug-in';
  return `it is written for plug-in API ${wanted}, this drivebay offers ${PLUGIN_API_VERSION}: ${upgrade}`;
}
