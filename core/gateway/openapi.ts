import { z } from 'zod';
import { productVersion } from '../package';
import type { Dialect } from './dialect';
import { type ErrorCode, errorCodes } from './error-codes';

const count = z.int().min(0);

const model = z.strictObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string().describe('The provider'),
});

const modelList = z.strictObject({ object: z.literal('list'), data: z.array(model) });

const health = z.strictObject({ status: z.literal('ok'), providers: count });

/** Any path may answer with these: they are found before the path is looked at. */
const EVERYWHERE: ErrorCode[] = ['forbidden_host', 'forbidden_origin', 'shutting_down', 'internal_error'];
/** And these, but for /health, which needs no key. */
export const WITH_KEY: ErrorCode[] = ['invalid_api_key', ...EVERYWHERE];

/** The gateway in OpenAPI 3.1: what its clients send, and what they get. */
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
    // A gateway without a key is the normal case.
    security: [{}, { key: [] }],
    paths: {
      ...merge(parts.map(({ paths }) => paths)),
      '/v1/models': {
        get: {
          operationId: 'listModels',
          summary: 'Every provider that is not offline, by its name and with its default model',
          responses: { 200: json('The models', 'ModelList'), ...failures(WITH_KEY) },
        },
      },
      '/v1/models/{id}': {
        get: {
          operationId: 'getModel',
          summary: 'One entry of that list, also of a provider that is offline',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: json('The model', 'Model'), ...failures(['model_not_found', ...WITH_KEY]) },
        },
      },
      '/health': {
        get: {
          operationId: 'getHealth',
          summary: 'Whether the gateway runs',
          security: [{}],
          responses: { 200: json('It does', 'Health'), ...failures(EVERYWHERE) },
        },
      },
      '/openapi.json': {
        get: {
          operationId: 'getOpenApi',
          summary: 'This description',
          responses: {
            200: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } },
            ...failures(WITH_KEY),
          },
        },
      },
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

export function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

function json(description: string, name: string) {
  return { description, content: { 'application/json': { schema: ref(name) } } };
}

/** One response for each status that the codes have. */
export function failures(codes: readonly ErrorCode[]) {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, found]) => [
      status,
      json(found.map((code) => `\`${code}\`: ${errorCodes[code].when}`).join('; '), 'Error'),
    ]),
  );
}

export function toJsonSchema(schema: z.ZodType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
