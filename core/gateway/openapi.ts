import { z } from 'zod';
import { productVersion } from '../package';
import { type ErrorCode, errorCodes } from './error-codes';
import * as wire from './wire-schemas';

const SCHEMAS = {
  ChatRequest: wire.chatRequest,
  ChatCompletion: wire.chatCompletion,
  ChatChunk: wire.chatChunk,
  Model: wire.model,
  ModelList: wire.modelList,
  Health: wire.health,
  Error: wire.errorBody,
};

/** Any path may answer with these: they are found before the path is looked at. */
const EVERYWHERE: ErrorCode[] = ['forbidden_host', 'forbidden_origin', 'shutting_down', 'internal_error'];
/** And these, but for /health, which needs no key. */
const WITH_KEY: ErrorCode[] = ['invalid_api_key', ...EVERYWHERE];
const OF_CHATS: ErrorCode[] = [
  ...['invalid_request', 'model_not_found', 'request_timeout', 'request_too_large', 'unsupported_media_type'],
  ...['concurrency_limit', 'upstream_error', 'timeout'],
] as ErrorCode[];

/** The gateway in OpenAPI 3.1: what its clients send, and what they get. */
export function openApi() {
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
      '/v1/chat/completions': {
        post: {
          operationId: 'createChatCompletion',
          summary: 'Answer a conversation, at once or as a stream',
          requestBody: { required: true, content: { 'application/json': { schema: ref('ChatRequest') } } },
          responses: {
            200: {
              description:
                'The answer. A stream ends with `data: [DONE]`; an event with `error` in it is a failure after its start',
              headers: CHAT_HEADERS,
              content: {
                'application/json': { schema: ref('ChatCompletion') },
                'text/event-stream': { schema: { anyOf: [ref('ChatChunk'), ref('Error')] } },
              },
            },
            ...failures([...OF_CHATS, ...WITH_KEY]),
          },
        },
      },
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
      schemas: Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, toJsonSchema(schema)])),
    },
  };
}

const text = { schema: { type: 'string' } };
const CHAT_HEADERS = {
  'x-request-id': { description: 'The id in the log', ...text },
  'x-drivebay-provider': { description: 'Who answered', ...text },
  'x-drivebay-ignored-params': {
    description: 'Fields of the request that had no effect, separated by commas',
    ...text,
  },
};

function ref(name: keyof typeof SCHEMAS) {
  return { $ref: `#/components/schemas/${name}` };
}

function json(description: string, name: keyof typeof SCHEMAS) {
  return { description, content: { 'application/json': { schema: ref(name) } } };
}

/** One response for each status that the codes have. */
function failures(codes: readonly ErrorCode[]) {
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

function toJsonSchema(schema: z.ZodType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
