import { isFields, listOf, type Fields } from '../_shared/fields';

/** Keywords without a schema in them that the vendor knows. */
const PLAIN = new Set(['type', 'title', 'description', 'minItems', 'maxItems', 'minimum', 'maximum']);
const FORMATS = new Set<unknown>(['date-time', 'date', 'time', 'int32', 'int64', 'float', 'double']);

/** Definitions that name each other twice double the schema with each step, so only so many references are followed. */
const MOST_REFERENCES = 100;

/**
 * The schema of a function's arguments in the keywords that the vendor knows; undefined for a function without arguments.
 * It refuses the whole request for any other keyword. One with an equivalent is translated, one without is left out: the
 * schema then allows more than before, and the client still checks the arguments itself.
 */
export function toNativeSchema(schema: Fields): Fields | undefined {
  const native = new SchemaTranslator(schema).translate(schema);
  if (!native.properties && !native.anyOf) return undefined;
  return { type: 'object', ...native };
}

class SchemaTranslator {
  /** The references that are being followed: one within itself has no end. */
  private readonly open = new Set<string>();
  private followed = 0;

  constructor(private readonly root: Fields) {}

  translate(schema: Fields): Fields {
    const { $ref } = schema;
    if (typeof $ref === 'string') return this.follow($ref, schema);
    const whole = withParts(schema);
    const native: Fields = {};
    for (const [name, value] of Object.entries(whole)) {
      if (PLAIN.has(name)) native[name] = value;
      else if (name === 'anyOf' || name === 'oneOf') native.anyOf = this.translateList(value);
      else if (name === 'properties') this.setProperties(native, value);
      else if (name === 'items') native.items = this.toItems(value);
      else if (name === 'format' && FORMATS.has(value)) native.format = value;
    }
    if (Array.isArray(whole.prefixItems)) native.items = this.toItems(whole.prefixItems);
    setBounds(native, whole);
    setValues(native, whole);
    setRequired(native, whole);
    return native;
  }

  private follow(reference: string, { description }: Fields): Fields {
    const target = reference
      .replace(/^#\/?/, '')
      .split('/')
      .filter((step) => step !== '')
      .reduce<unknown>((place, step) => (isFields(place) ? place[unescape(step)] : undefined), this.root);
    const described: Fields = description === undefined ? {} : { description };
    const isEndless = this.open.has(reference) || this.followed === MOST_REFERENCES;
    if (!isFields(target) || isEndless) return { type: 'object', ...described };
    this.followed += 1;
    this.open.add(reference);
    const native = { ...this.translate(target), ...described };
    this.open.delete(reference);
    return native;
  }

  private translateList(value: unknown): Fields[] {
    return listOf(value)
      .filter(isFields)
      .map((schema) => this.translate(schema));
  }

  /** A schema may be `true`: anything. */
  private setProperties(native: Fields, value: unknown): void {
    const entries = Object.entries(isFields(value) ? value : {});
    if (entries.length === 0) return;
    native.properties = Object.fromEntries(
      entries.map(([name, schema]) => [name, isFields(schema) ? this.translate(schema) : {}]),
    );
  }

  /** The vendor has one schema for all items: of a tuple, any of its own. */
  private toItems(value: unknown): Fields {
    if (!Array.isArray(value)) return isFields(value) ? this.translate(value) : {};
    const [first, ...others] = this.translateList(value);
    return others.length > 0 ? { anyOf: [first, ...others] } : (first ?? {});
  }
}

function unescape(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The parts of `allOf` in one schema. */
function withParts(schema: Fields): Fields {
  const parts = listOf(schema.allOf).filter(isFields);
  return parts.map(withParts).reduce<Fields>(
    (whole, part) => ({
      ...part,
      ...whole,
      ...(isFields(part.properties) && { properties: { ...part.properties, ...(whole.properties as Fields) } }),
      ...(Array.isArray(part.required) && { required: [...listOf(whole.required), ...listOf(part.required)] }),
    }),
    schema,
  );
}

function setBounds(native: Fields, { exclusiveMinimum, exclusiveMaximum, type }: Fields): void {
  const step = type === 'integer' ? 1 : 0;
  if (typeof exclusiveMinimum === 'number') native.minimum ??= exclusiveMinimum + step;
  if (typeof exclusiveMaximum === 'number') native.maximum ??= exclusiveMaximum - step;
}

/** The vendor's lists of values hold texts only: other values are described to the model in words. */
function setValues(native: Fields, { const: only, enum: values }: Fields): void {
  const allowed = only === undefined ? listOf(values) : [only];
  if (allowed.length === 0) return;
  if (allowed.every((value) => typeof value === 'string')) {
    native.type ??= 'string';
    native.enum = [...new Set(allowed)];
    return;
  }
  const words = `One of: ${allowed.map((value) => JSON.stringify(value)).join(', ')}`;
  native.description = typeof native.description === 'string' ? `${native.description} ${words}` : words;
}

/** Each name once, and only of properties that there are. */
function setRequired(native: Fields, { required }: Fields): void {
  const { properties } = native;
  if (!isFields(properties)) return;
  const texts = listOf(required).filter((name) => typeof name === 'string');
  const names = [...new Set(texts)].filter((name) => Object.hasOwn(properties, name));
  if (names.length > 0) native.required = names;
}
