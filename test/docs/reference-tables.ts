import { z } from 'zod';
import { checkCodes } from '../../core/authoring/check/check-codes';
import { sharedOptions } from '../../core/config/schema';
import { manifestSchema } from '../../core/plugins/manifest';
import { launchClientSchema } from '../../core/plugins/clients';
import { detectSchema } from '../../core/plugins/detect';
import { PLACEHOLDERS } from '../../core/plugins/fill-text';
import { failurePolicies } from '../../core/contract/failure-policy';
import { memberTable, typeTable, unionTable, wordMeanings } from './api-tables';
import { markdownTable } from './markdown-table';

interface Schema {
  type?: string;
  enum?: string[];
  default?: unknown;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}

const manifest = z.toJSONSchema(manifestSchema, { io: 'input' }) as Schema;

const typeOf = ({ type, enum: values }: Schema) =>
  values ? values.map((value) => `\`${value}\``).join(' or ') : (type ?? '');

function manifestTable(): string {
  const rows = Object.entries(manifest.properties ?? {}).map(([name, schema]) => {
    const fallback = schema.default === undefined ? 'none' : `\`${JSON.stringify(schema.default)}\``;
    const standard = manifest.required?.includes(name) ? 'required' : fallback;
    return [`\`${name}\``, typeOf(schema), standard, schema.description ?? ''];
  });
  return markdownTable(['field', 'type', 'default', 'meaning'], rows);
}

/** The fields of each sort of sighting, and of the lists in them. */
function detectTable(): string {
  const { binaries, keys, ports } = detectSchema.shape;
  const parts = { binaries, keys, ports, 'ports[].models': ports.unwrap().element.shape.models };
  const rows = Object.entries(parts).flatMap(([sort, list]) => {
    const part = list.unwrap().element;
    const { properties = {}, required = [] } = z.toJSONSchema(part, { io: 'input' }) as Schema;
    return Object.entries(properties).map(([name, { description = '' }]) => [
      `\`${sort}[].${name}\``,
      required.includes(name) ? 'required' : '',
      description,
    ]);
  });
  return markdownTable(['field', '', 'meaning'], rows);
}

function clientTable(): string {
  const { properties = {}, required = [] } = z.toJSONSchema(launchClientSchema, { io: 'input' }) as Schema;
  const rows = Object.entries(properties).map(([name, { description = '' }]) => [
    `\`${name}\``,
    required.includes(name) ? 'required' : '',
    description,
  ]);
  return markdownTable(['field', '', 'meaning'], rows);
}

function placeholderTable(): string {
  const rows = Object.entries(PLACEHOLDERS).map(([name, meaning]) => [`\`{${name}}\``, meaning]);
  return markdownTable(['placeholder', 'what stands there'], rows);
}

function capabilityTable(): string {
  const { properties = {} } = manifest.properties?.capabilities ?? {};
  const rows = Object.entries(properties).map(([name, { description = '' }]) => [`\`${name}\``, description]);
  return markdownTable(['capability', 'meaning'], rows);
}

function sharedOptionTable(): string {
  const rows = Object.entries(sharedOptions).map(([name, schema]) => {
    const { type = '', description = '' } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
    return [`\`${name}\``, type, description];
  });
  return markdownTable(['option', 'type', 'meaning'], rows);
}

const SEEN = {
  upstream_error: '502 `upstream_error`',
  timeout: '504 `timeout`',
  invalid_request: '400 `invalid_request`',
  none: 'the client is gone',
} as const;

function errorTable(): string {
  const meanings = wordMeanings('DriverErrorCode');
  const rows = Object.entries(failurePolicies).map(([code, { client, retryable, offline }]) => {
    const meaning = meanings.get(code);
    if (meaning === undefined) throw new Error(`the contract does not say what ${code} means`);
    return [`\`${code}\``, meaning, SEEN[client], retryable ? 'yes' : 'no', offline ? 'yes' : ''];
  });
  return markdownTable(['code', 'when', 'the client sees', 'may retry', 'offline'], rows);
}

/** The types that have a table or a section of their own. */
const EXPLAINED = [
  ...['Driver', 'DriverFactory', 'ChatRequest', 'Message', 'Part', 'ContentPart', 'ReasoningPart', 'ToolCallPart'],
  ...['ToolResultPart', 'Call', 'ChatEvent', 'Usage', 'DriverErrorCode', 'DriverErrorDetails', 'ErrorKind'],
  ...['DriverContext', 'HttpClient', 'HttpRequest', 'HttpResponse', 'SpawnOptions', 'Subprocess'],
];

/** Every generated part of docs/plugin-reference.md, by the name of its marks. */
export const referenceTables: Record<string, () => string> = {
  manifest: manifestTable,
  capabilities: capabilityTable,
  detect: detectTable,
  clients: clientTable,
  placeholders: placeholderTable,
  'shared-options': sharedOptionTable,
  driver: () => memberTable('Driver'),
  request: () => memberTable('ChatRequest'),
  call: () => memberTable('Call'),
  message: () => memberTable('Message'),
  parts: () => unionTable('Part', 'part'),
  events: () => unionTable('ChatEvent', 'event'),
  errors: errorTable,
  'error-details': () => memberTable('DriverErrorDetails'),
  context: () => memberTable('DriverContext'),
  http: () => memberTable('HttpClient'),
  'http-request': () => memberTable('HttpRequest'),
  response: () => memberTable('HttpResponse'),
  spawn: () => memberTable('SpawnOptions'),
  subprocess: () => memberTable('Subprocess'),
  types: () => typeTable(EXPLAINED),
  checks: () =>
    markdownTable(
      ['code', 'in order when'],
      Object.entries(checkCodes).map(([code, title]) => [`\`${code}\``, title]),
    ),
};
