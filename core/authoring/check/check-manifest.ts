import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { formatPath } from '../../config/describe-found';
import { didYouMean } from '../../config/did-you-mean';
import { type JsonSchema, jsonSchemaOf, schemaAt } from '../../config/json-schema';
import type { Path } from '../../config/located';
import { codeOf, messageOf } from '../../errors';
import { isFields } from '../../fields';
import { productName } from '../../package';
import type { Plugin } from '../../plugins/discover';
import { explainDetect } from '../../plugins/explain-detect';
import { type Manifest, manifestSchema, readManifest } from '../../plugins/manifest';
import { failed, type Finding, ok, skipRest, warning } from './check-codes';

/** Checks manifest.json. `others` are the plug-ins that take precedence over this one. */
export function checkManifest(directory: string, others: Plugin[]): { findings: Finding[]; manifest?: Manifest } {
  let text: string;
  try {
    text = readFileSync(join(directory, 'manifest.json'), 'utf8');
  } catch (error) {
    const missing = codeOf(error) === 'ENOENT';
    const message = missing ? 'there is no manifest.json' : `manifest.json cannot be read: ${messageOf(error)}`;
    return refused([failed('M01', message, missing ? explainMissing(directory) : undefined)]);
  }
  const reading = readManifest(text);
  const hint = `see: ${productName} docs plugin-reference, or: ${productName} schema --of manifest`;
  switch (reading.fault) {
    case 'json':
      return refused(reading.issues.map((issue) => failed('M01', `manifest.json is not JSON: ${issue}`)));
    case 'shape':
      return refused(reading.issues.map((issue) => failed('M01', issue, hint)));
    case 'version':
      return refused([ok('M01'), ...reading.issues.map((issue) => failed('M02', issue))]);
    case 'options':
      return refused([ok('M01'), ok('M02'), ...reading.issues.map((issue) => failed('M04', issue, hint))]);
    case undefined:
  }
  const { manifest } = reading;
  const findings = [
    ok('M01'),
    ok('M02'),
    checkFolder(directory, manifest),
    ok('M04'),
    ...checkFields(JSON.parse(text) as Record<string, unknown>),
    checkOwner(manifest, others),
    ...checkRequired(manifest),
    ...checkDetect(manifest),
  ];
  return { findings, manifest };
}

function refused(findings: Finding[]): { findings: Finding[] } {
  return { findings: [...findings, ...skipRest('M', findings, 'the manifest cannot be used')] };
}

/** The usual mistake is the parent folder of the plug-ins. */
function explainMissing(directory: string): string {
  const inside = readdirSync(directory)
    .filter((name) => existsSync(join(directory, name, 'manifest.json')))
    .map((name) => join(directory, name));
  if (inside.length > 0) return `plug-ins are in these folders: ${inside.join(', ')}`;
  return `this folder is not a plug-in. To write a new one, run: ${productName} plugins new NAME --kind http`;
}

function checkFolder(directory: string, { driver }: Manifest): Finding {
  const folder = basename(directory);
  if (folder === driver || folder.endsWith(`driver-${driver}`)) return ok('M03');
  return warning(
    'M03',
    `the name of the driver is "${driver}", that of its folder "${folder}"`,
    `rename the folder or the driver`,
  );
}

/** Checks the file as it is written: the parsed manifest includes defaults. */
function checkFields(written: Record<string, unknown>): Finding[] {
  const { $schema: _, ...fields } = written;
  const unknown = [
    ...unknownIn(fields, jsonSchemaOf(manifestSchema), []),
    ...Object.entries(Object(written.options) as object).flatMap(([name, schema]) =>
      compare(Object.keys(Object(schema) as object), SCHEMA_KEYWORDS, ['options', name]),
    ),
  ];
  if (unknown.length === 0) return [ok('M05')];
  return unknown.map(([name, guess]) =>
    warning('M05', `${name} is not a field that this Drivebay knows`, guess && `did you mean ${guess}?`),
  );
}

/** A provider entry: the schemas of the options know its fields. */
const ENTRIES = ['provider', 'builtinProvider'];

function unknownIn(written: unknown, schema: JsonSchema | undefined, path: Path): [name: string, guess?: string][] {
  if (Array.isArray(written)) {
    return written.flatMap((item, index) => unknownIn(item, schemaAt(schema!, [index]), [...path, index]));
  }
  const known = schema?.properties;
  if (!known || !isFields(written) || ENTRIES.includes(String(path.at(-1)))) return [];
  return [
    ...compare(Object.keys(written), Object.keys(known), path),
    ...Object.keys(known).flatMap((name) => unknownIn(written[name], known[name], [...path, name])),
  ];
}

/** The unknown names, each with the nearest known one. */
function compare(names: string[], known: readonly string[], path: Path): [name: string, guess?: string][] {
  const unknown = names.filter((name) => !known.includes(name));
  return unknown.map((name) => {
    const guess = didYouMean(name, known);
    return [formatPath('', [...path, name]), guess && formatPath('', [...path, guess])];
  });
}

/** The keywords of JSON Schema. A misspelled keyword has no effect, and no other check reports it. */
const SCHEMA_KEYWORDS = `
  guarded secret type enum const default description title examples deprecated readOnly writeOnly minimum maximum exclusiveMinimum
  exclusiveMaximum multipleOf minLength maxLength pattern format contentEncoding contentMediaType contentSchema
  items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains unevaluatedItems
  properties required additionalProperties patternProperties propertyNames minProperties maxProperties
  dependentRequired dependentSchemas dependencies unevaluatedProperties anyOf allOf oneOf not if then else nullable
  definitions $schema $id $ref $defs $comment $anchor $dynamicRef $dynamicAnchor $vocabulary
`
  .trim()
  .split(/\s+/);

function checkOwner({ driver }: Manifest, others: readonly Plugin[]): Finding {
  const owner = others.find((each) => each.driver === driver || each.manifest?.aliases.includes(driver));
  if (!owner) return ok('M06');
  return failed('M06', `"${driver}" is a driver of Drivebay, so this one would be shadowed`, 'choose another name');
}

function checkRequired({ required, options }: Manifest): Finding[] {
  const missing = required.filter((name) => !Object.hasOwn(options, name));
  if (missing.length === 0) return [ok('M07')];
  return missing.map((name) =>
    failed('M07', `required names ${name}, which no provider can set`, `add it to options: "${name}": {}`),
  );
}

function checkDetect(manifest: Manifest): Finding[] {
  const issues = explainDetect(manifest);
  if (issues.length === 0) return [ok('M08')];
  return issues.map((issue) => failed('M08', issue, `${productName} init passes it over as it is`));
}
