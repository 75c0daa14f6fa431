import { z } from 'zod';
import { anyFields, flag, noTexts, optionalText, texts } from '../config/field-types';
import { JSON_WORDS } from '../config/describe-found';
import { explainJson } from '../config/explain-issue';
import { DRIVER_NAME, MODULE_PATH } from '../config/schema';
import { ONCE, parseSafely } from '../config/parse-safely';
import { launchClientSchema } from './clients';
import { detectSchema } from './detect';
import { explainOptions } from './explain-options';
import { placeFault } from './place-fault';

export const PLUGIN_API_VERSION = 1;

export const manifestSchema = z
  .looseObject({
    apiVersion: z.int().describe('Version of the plug-in contract this driver is written for'),
    driver: z
      .string()
      .regex(DRIVER_NAME, 'expected lower-case words joined by hyphens')
      .describe('The value of `driver` in providers.yaml'),
    aliases: noTexts.describe('Further names of the same driver. Messages and tables show the first one'),
    kind: z
      .enum(['cli', 'http'])
      .describe('cli: runs a program; http: calls a server, or computes by itself; every request to it names a model'),
    main: z
      .string()
      .regex(MODULE_PATH, 'expected a path that starts with "./"')
      .refine((path) => !path.split('/').includes('..'), 'expected a path inside the plug-in folder')
      .describe('The module whose default export is the driver factory; the extension may be left out'),
    summary: z.string().default('').describe('One line for `drivebay plugins list`'),
    version: optionalText.describe('Default: the version in package.json beside the manifest'),
    homepage: optionalText.describe('Where its documentation is'),
    options: z
      .record(z.string(), z.looseObject({ guarded: z.boolean().optional(), secret: z.boolean().optional() }))
      .default({})
      .describe('The provider options this driver takes: name to JSON Schema, with `default` and `description`'),
    required: noTexts.describe('Options that a provider must set'),
    permissionOptions: noTexts.describe(
      'Of an agent CLI: the options above that say what its own tools may do; warnings name them',
    ),
    actsWithoutAsking: anyFields
      .optional()
      .describe(
        'Of an agent CLI: a JSON Schema of the options with which its tools change files and run programs without asking, `{}` for all; the first run in a folder asks the user',
      ),
    capabilities: z
      .looseObject({
        tools: flag.describe(
          'Without it `tools` and `tool_choice` are left out, and named in `x-drivebay-ignored-params`',
        ),
        vendorTools: flag.describe(
          'Of a driver that sends `request.origin` of messages on. Without it a request of that wire with no tools but those that the vendor runs by itself, such as its web search, is 400, and so is one that names a file which the vendor keeps',
        ),
        vendorPrompts: flag.describe(
          'Of a driver that sends `request.origin` of responses on. Without it a request of that wire that names a prompt which the vendor keeps is 400',
        ),
        forcedToolChoice: flag.describe('Without it `tool_choice` required, or one that names a tool, is 400'),
        images: flag.describe('Without it an image in a message is 400'),
        resultImages: flag.describe('Images in the results of tools, where others are 400; `images` includes it'),
        audio: flag.describe('Without it audio in a message is 400'),
        files: flag.describe('Without it a file in a message is 400'),
        choices: flag.describe('Without it `n` above 1 is 400'),
        embeddings: flag.describe(
          'Of a driver with `embed`. Without it a request for embeddings is 400, and names the providers that have it',
        ),
        answerSchema: flag.describe(
          'Of an agent CLI whose answers can keep to a JSON schema. Without it a route passes the provider over where a request has a `response_format` of type `json_schema`; of an HTTP API it is taken for granted',
        ),
        skillFolders: flag.describe(
          'Of a driver that hands `workspace.skills` to its program. Without it the SKILL.md of each skill of an agent is in the system message',
        ),
        toolServers: flag.describe(
          'Of a driver that hands `workspace.toolServers` to its program. Without it the program uses the servers of its own configuration only',
        ),
      })
      .prefault({})
      .describe('What the driver can do with a request; what it cannot is refused or reported before it is called'),
    withoutCapabilities: z
      .looseObject({
        names: texts.describe('Those of the capabilities above'),
        options: anyFields.describe('A JSON Schema of the options with which it lacks them'),
      })
      .optional()
      .describe('Capabilities that a provider lacks with some of its options, as when an option switches them off'),
    builtinProvider: z
      .looseObject({ name: z.string() })
      .optional()
      .describe(
        'Plug-ins of drivebay itself only: the provider to register when there is no configuration file, or for the demo',
      ),
    detect: detectSchema.optional(),
    clients: z
      .array(launchClientSchema)
      .default([])
      .describe('Programs that `drivebay launch` starts on the gateway, with the settings that send them there'),
  })
  .describe('Drivebay plug-in manifest');

/** The version comes first: a manifest of another version may have another shape. */
const versionSchema = z.object({ apiVersion: z.int() });

export type Manifest = z.infer<typeof manifestSchema>;
export type Capabilities = Manifest['capabilities'];

/** The text of a manifest as read: the manifest, or its faults in lines for the author. */
type ManifestReading =
  { manifest: Manifest; fault?: undefined } | { fault: 'json' | 'version' | 'shape' | 'options'; issues: string[] };

/** `isOurs`: of a plug-in that comes with Drivebay. A test checks its options, which takes longer than all else at a start. */
export function readManifest(text: string, isOurs = false): ManifestReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: 'json', issues: [withLine((error as Error).message, text)] };
  }
  const version = versionSchema.safeParse(value, ONCE);
  if (version.success && version.data.apiVersion !== PLUGIN_API_VERSION) {
    return { fault: 'version', issues: [explainVersion(version.data.apiVersion)] };
  }
  const parsed = parseSafely(manifestSchema, value, ONCE);
  if (!parsed.success) {
    const faults = explainJson(manifestSchema, value, parsed.error.issues, JSON_WORDS);
    return { fault: 'shape', issues: faults.map(placeFault(text)) };
  }
  const faults = isOurs ? [] : explainOptions(parsed.data);
  return faults.length === 0 ? { manifest: parsed.data } : { fault: 'options', issues: faults.map(placeFault(text)) };
}

/** Node 20 gives the place in characters only. */
function withLine(message: string, text: string): string {
  return message.replace(/position (\d+)$/, (_, position: string) => {
    const before = text.slice(0, Number(position)).split('\n');
    return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  });
}

/** Parses a manifest's text. Throws an Error whose message says what is wrong with it, in one line. */
export function parseManifest(text: string, isOurs = false): Manifest {
  const reading = readManifest(text, isOurs);
  if (reading.fault === undefined) return reading.manifest;
  const issues = reading.issues.join('; ');
  if (reading.fault === 'version') throw new Error(issues);
  throw new Error(`manifest.json is not ${reading.fault === 'json' ? 'JSON' : 'valid'}: ${issues}`);
}

function explainVersion(wanted: number): string {
  const upgrade = wanted > PLUGIN_API_VERSION ? 'upgrade drivebay' : 'upgrade the plug-in';
  return `it is written for plug-in API ${wanted}, this drivebay offers ${PLUGIN_API_VERSION}: ${upgrade}`;
}

/** Every name of a driver. The first one is shown to users: an alias, which says what the driver drives, where it has one. */
export function driverNames({ driver, aliases }: Pick<Manifest, 'driver' | 'aliases'>): [string, ...string[]] {
  const [first, ...others] = aliases;
  return first === undefined ? [driver] : [first, driver, ...others];
}
