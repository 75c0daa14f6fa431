import { fieldsOf, isFields, listOf, type Fields } from './fields';

const EMPTY = { type: 'object', properties: {} };
/** Choices among whole schemas. Not every program takes them at the top. */
const CHOICES = ['allOf', 'anyOf', 'oneOf'] as const;
const MOST_REFERENCES = 8;

/**
 * The schema of a tool's arguments in the form that every program takes: an object at the top, with properties that are
 * schemas. One tool with another form, and some programs silently leave out all of them. Deeper levels stay as they are.
 */
export function plainSchema(parameters: Fields | undefined): Fields {
  const top = flat(resolved(parameters ?? {}));
  if (top.type !== undefined && top.type !== null && !allowsObject(top.type)) return EMPTY;
  const { type: _type, properties, required, ...rest } = withoutNulls(top);
  const schema: Fields = { type: 'object', properties: plainProperties(properties), ...rest };
  const names = listOf(required).filter((name) => typeof name === 'string');
  if (names.length > 0) schema.required = names;
  return schema;
}

/**
 * The schema as OpenAI and Anthropic accept it: both refuse `oneOf`, `anyOf` and `allOf` at the top of a schema. Other schemas
 * stay unchanged.
 */
export function withoutChoices(parameters: Fields): Fields {
  return CHOICES.some((word) => word in parameters) ? plainSchema(parameters) : parameters;
}

function allowsObject(type: unknown): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** `true` stands for a schema that anything fits. */
function plainProperties(properties: unknown): Fields {
  const entries = Object.entries(fieldsOf(properties)).filter(([, value]) => value !== false && value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [name, isFields(value) ? value : {}]));
}

/** A schema that is a mere reference to one of its own definitions. */
function resolved(schema: Fields): Fields {
  let current = schema;
  for (let count = 0; typeof current.$ref === 'string' && count < MOST_REFERENCES; count += 1) {
    const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(current.$ref) ?? [];
    const target = fieldsOf(schema[group])[name];
    if (!isFields(target)) break;
    const { $ref: _reference, ...own } = current;
    current = { ...target, ...own };
  }
  return current;
}

/** One object in place of a choice: it has the properties of all, and needs those that each of them needs. */
function flat(schema: Fields): Fields {
  let { properties, required, ...rest } = schema;
  for (const word of CHOICES) {
    const members = listOf(rest[word]).filter(isFields).map(resolvedIn(schema)).map(flat).filter(mayBeObject);
    if (!(word in rest)) continue;
    const { [word]: _choice, ...others } = rest;
    rest = others;
    for (const member of members) properties = { ...fieldsOf(member.properties), ...fieldsOf(properties) };
    const needs = members.map((member) => listOf(member.required));
    const shared =
      word === 'allOf' ? needs.flat() : (needs[0] ?? []).filter((name) => needs.every((n) => n.includes(name)));
    required = [...new Set([...listOf(required), ...shared])];
  }
  return { ...rest, ...(properties !== undefined && { properties }), ...(required !== undefined && { required }) };
}

/** A member often names only what it needs of the properties beside the choice. */
function mayBeObject({ type }: Fields): boolean {
  return type === undefined || allowsObject(type);
}

function resolvedIn({ $defs, definitions }: Fields) {
  return (member: Fields): Fields => {
    const { $defs: _defs, definitions: _definitions, ...own } = resolved({ $defs, definitions, ...member });
    return own;
  };
}
