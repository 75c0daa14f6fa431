import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { clientSchema } from '../../core/config/client-schema';
import { describeExpected } from '../../core/config/describe-expected';
import { YAML_WORDS } from '../../core/config/describe-found';
import { type JsonSchema, jsonSchemaOf } from '../../core/config/json-schema';
import { routeSchema } from '../../core/config/route-schema';
import { commonSchema, fileSchema, sharedOptions } from '../../core/config/schema';
import { driverNames, type Manifest, parseManifest } from '../../core/plugins/manifest';
import { repository } from '../setup/repository';
import { markdownTable } from './markdown-table';

interface Described extends JsonSchema {
  default?: unknown;
  description?: string;
  properties?: Record<string, Described>;
  additionalProperties?: Described | boolean;
  required?: string[];
}

const HEADS = ['option', 'value', 'default', 'meaning'];

/** The manifests of the drivers that come with Drivebay, by the name of the driver. */
export const manifests: Manifest[] = readdirSync(join(repository, 'plugins'))
  .filter((folder) => !folder.startsWith('_'))
  .map((folder) => parseManifest(readFileSync(join(repository, 'plugins', folder, 'manifest.json'), 'utf8')));

function row(name: string, schema: Described, isRequired: boolean, value = schema.default): string[] {
  return [
    `\`${name}\``,
    describeExpected(schema, YAML_WORDS),
    isRequired ? 'required' : shown(value),
    schema.description ?? '',
  ];
}

/** How a default looks in a file. */
function shown(value: unknown): string {
  const isNothing = value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  return isNothing ? 'none' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function topTable(): string {
  const { properties = {} } = jsonSchemaOf(fileSchema) as Described;
  return markdownTable(
    HEADS,
    Object.entries(properties).map(([name, schema]) => row(name, schema, false)),
  );
}

function entryTable(entry: z.ZodType): string {
  const { properties = {}, required = [] } = jsonSchemaOf(entry) as Described;
  return markdownTable(
    HEADS,
    Object.entries(properties).map(([name, schema]) => row(name, schema, required.includes(name))),
  );
}

function commonTable(): string {
  const { properties = {}, required = [] } = jsonSchemaOf(commonSchema) as Described;
  const rows = Object.entries(properties).flatMap(([name, schema]) => [
    row(name, schema, required.includes(name)),
    ...factsOf(name, schema),
  ]);
  return markdownTable(HEADS, rows);
}

/** The fields of what a map holds by names of the user's. */
function factsOf(name: string, { additionalProperties: each }: Described): string[][] {
  if (typeof each !== 'object' || !each.properties) return [];
  return Object.entries(each.properties).map(([field, schema]) =>
    row(`${name}.<name>.${field}`, schema, each.required?.includes(field) ?? false),
  );
}

/** The options of a driver: the type that core knows, which the manifest may narrow; words and default of the manifest. */
function driverTable({ options, required }: Manifest): string {
  const rows = Object.entries(options).map(([name, declared]) => {
    const known = Object.hasOwn(sharedOptions, name) ? (jsonSchemaOf(sharedOptions[name]!) as Described) : {};
    const own = z.toJSONSchema(z.fromJSONSchema(declared), { io: 'input' }) as Described;
    return row(name, { ...known, ...own }, required.includes(name), declared.default);
  });
  return markdownTable(HEADS, rows);
}

/** Every generated part of docs/configuration-reference.md, by the name of its marks. */
export const configurationTables: Record<string, () => string> = {
  file: topTable,
  provider: commonTable,
  route: () => entryTable(routeSchema),
  client: () => entryTable(clientSchema),
  ...Object.fromEntries(manifests.map((manifest) => [driverNames(manifest)[0], () => driverTable(manifest)])),
};
