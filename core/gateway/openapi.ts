import { z } from 'zod';
import { productVersion } from '../package';
import type { Dialect } from './dialect';
import { type ErrorCode, errorCodes } from './error-codes';

const model = z.strictObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string().describe('The provider'),
});
const modelList = z.strictObject({ object: z.literal('list'), data: z.array(model) });
const health = z.strictObject({ status: z.literal('ok'), providers: z.int().min(0) });

/** Errors of every path: the gateway finds them before it looks at the path. */
const EVERYWHERE: ErrorCode[] = ['forbidden_host', 'forbidden_origin', 'shutting_down', 'internal_error'];
/** Errors of every path but /health, which needs no key. */
export const WITH_KEY: ErrorCode[] = ['invalid_api_key', ...EVERYWHERE];

/** The gateway in OpenAPI 3.1. */
export async function openApi(dialects: readonly Dialect[]) {
  const parts = await Promise.all(dialects.map((dialect) => dialect.describe()));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Drivebay',
      version: productVersion,
      summary: 'One OpenAI-style endpoint for every LLM a developer has',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:8080', description: '`drivebay serve`; the port is that of `--port`' }],
    // Most gateways have no key.
    security: [{}, { key: [] }],
    paths: {
      ...merge(parts.map(({ paths }) => paths)),
      '/v1/models': get('listModels', 'Every provider that is not offline, by its name and with its default model', {
        200: json('The models', ref('ModelList')),
        ...failures(WITH_KEY),
      }),
      '/v1/models/{id}': get(
        'getModel',
        'One entry of that list, also of a provider that is offline',
        {
          200: json('The model', ref('Model')),
          ...failures(['model_not_found', ...WITH_KEY]),
        },
        { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] },
      ),
      '/health': get(
        'getHealth',
        'Whether the gateway runs',
        { 200: json('It does', ref('Health')), ...failures(EVERYWHERE) },
        {
          security: [{}],
        },
      ),
      '/openapi.json': get('getOpenApi', 'This description', {
        200: json('OpenAPI 3.1', { type: 'object' }),
        ...failures(WITH_KEY),
      }),
    },
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'Only with `serve --api-key-env`' } },
      schemas: {
        ...merge(parts.map(({ schemas }) => schemas)),
        Model: toJsonSchema(model),
        ModelList: toJsonSchema(modelList),
        Health: toJsonSchema(health),
      },
    },
  };
}

function merge(all: Record<string, unknown>[]): Record<string, unknown> {
  return Object.fromEntries(all.flatMap((each) => Object.entries(each)));
}

function get(operationId: string, summary: string, responses: object, more: object = {}) {
  return { get: { operationId, summary, ...more, responses } };
}

export function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

function json(description: string, schema: object) {
  return { description, content: { 'application/json': { schema } } };
}

/** One response for each status that the codes have. */
export function failures(codes: readonly ErrorCode[]) {
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const { status, when } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\`: ${when}`]);
  }
  return Object.fromEntries([...byStatus].map(([status, texts]) => [status, json(texts.join('; '), ref('Error'))]));
}

export function toJsonSchema(schema: z.ZodType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
