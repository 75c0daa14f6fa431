import { formatPath } from '../../config/describe-found';
import { didYouMean } from '../../config/did-you-mean';
import { type JsonSchema, jsonSchemaOf, schemaAt } from '../../config/json-schema';
import type { Path } from '../../config/located';
import { isFields } from '../../fields';
import { manifestSchema } from '../../plugins/manifest';
import type { PlaceFault } from '../../plugins/place-fault';
import { type Finding, warning } from './check-codes';

/** Checks the file as it is written: the parsed manifest includes defaults. */
export function checkFields(written: Record<string, unknown>, at: PlaceFault): Finding[] {
  const { $schema: _, ...fields } = written;
  return unknownIn(fields, jsonSchemaOf(manifestSchema), []).map(([path, guess]) =>
    warning('M05', at({ path, message: 'no field that this Drivebay knows' }), guess && `did you mean ${guess}?`),
  );
}

/** A provider entry: the schemas of the options know its fields. */
const ENTRIES = ['provider', 'builtinProvider'];

function unknownIn(written: unknown, schema: JsonSchema | undefined, path: Path): [path: Path, guess?: string][] {
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
function compare(names: string[], known: readonly string[], path: Path): [path: Path, guess?: string][] {
  const unknown = names.filter((name) => !known.includes(name));
  return unknown.map((name) => {
    const guess = didYouMean(name, known);
    return [[...path, name], guess && formatPath('', [...path, guess])];
  });
}
