import { z } from 'zod';
import { errorKinds } from '../../../contract/driver-error';
import type { OpenApiPart } from '../../dialect';
import { type ErrorCode, errorCodes } from '../../error-codes';
import { failures, ref, toJsonSchema, WITH_KEY } from '../../openapi';
import { requestFields } from './request-fields';
import { ERROR_TYPES } from './spell-error';

// A test checks answers against these schemas; nothing does so at run time. Objects are open, because backends add fields,
// and Drivebay passes them on.

const count = z.int().min(0);
const nullable = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.null()]);

const part = z.looseObject({ type: z.string() });
const content = z.union([z.string(), z.array(part)]).describe('A text, or a list of parts: text, images, audio, files');

const toolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string().describe('A JSON text') }),
});

const requestMessage = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: nullable(content).optional(),
  name: nullable(z.string()).optional(),
  tool_calls: nullable(z.array(z.looseObject({})))
    .optional()
    .describe('Of an assistant message'),
  tool_call_id: z.string().optional().describe('Of a tool message: the call that it answers'),
});

const chatRequest = requestFields
  .extend({
    model: z
      .string()
      .min(1)
      .describe(
        "A provider's name, `<provider>:<model>`, a provider's default model, or a model of the default provider",
      ),
    messages: z.array(requestMessage).min(1),
  })
  .describe(
    'A request of chat-completions. Fields that are not named here are passed on to backends that can take them.',
  );

const usage = z.looseObject({
  prompt_tokens: count.describe('Cached ones included'),
  completion_tokens: count.describe('Those of reasoning included'),
  total_tokens: count,
  prompt_tokens_details: z.looseObject({ cached_tokens: count, cache_write_tokens: count.optional() }),
  completion_tokens_details: z.looseObject({ reasoning_tokens: count }),
  cost: z.number().optional().describe('US dollars, where the backend says'),
});

const finishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter']);

const head = {
  id: z.string().regex(/^chatcmpl-\d+$/),
  created: z.int().describe('Unix time in seconds'),
  model: z.string().describe('The model as it was asked for'),
};

const chatCompletion = z.looseObject({
  ...head,
  object: z.literal('chat.completion'),
  choices: z.array(
    z.looseObject({
      index: count,
      message: z.looseObject({
        role: z.literal('assistant'),
        content: nullable(z.string()),
        refusal: nullable(z.string()),
        reasoning_content: z.string().optional(),
        tool_calls: z.array(toolCall).optional(),
      }),
      logprobs: nullable(z.looseObject({})),
      finish_reason: finishReason,
    }),
  ),
  usage: usage.describe('What the backend counted; 0 where it did not say'),
});

const chatChunk = z
  .looseObject({
    ...head,
    object: z.literal('chat.completion.chunk'),
    choices: z
      .array(
        z.looseObject({
          index: count,
          delta: z.looseObject({
            role: z.literal('assistant').optional(),
            content: nullable(z.string()).optional(),
            reasoning_content: z.string().optional(),
            tool_calls: z.array(z.looseObject({ index: count })).optional(),
          }),
          logprobs: nullable(z.looseObject({})),
          finish_reason: nullable(finishReason),
        }),
      )
      .describe('Empty in the chunk with the usage'),
    usage: nullable(usage).optional().describe('Only with stream_options.include_usage: null but in the last chunk'),
  })
  .describe('The `data` of one server-sent event');

const errorBody = z.strictObject({
  error: z.strictObject({
    message: z.string(),
    type: z.enum(ERROR_TYPES),
    code: z.enum(Object.keys(errorCodes)),
    param: nullable(z.string()).describe('The field at fault'),
    details: z
      .strictObject({
        kind: z.enum(errorKinds),
        provider: z.string().optional(),
        upstream_status: z.int().optional().describe('What the backend answered'),
        retry_after_s: count.optional(),
        hint: z.string().optional().describe('What the user can do'),
      })
      .optional()
      .describe('Of failures of a driver'),
  }),
});

const FAILURES: ErrorCode[] = [
  'invalid_request',
  'model_not_found',
  'request_timeout',
  'request_too_large',
  'unsupported_media_type',
  'concurrency_limit',
  'upstream_error',
  'timeout',
];

const text = { schema: { type: 'string' } };

export const openApiPart: OpenApiPart = {
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
            headers: {
              'x-request-id': { description: 'The id in the log', ...text },
              'x-drivebay-provider': { description: 'The provider that answered', ...text },
              'x-drivebay-ignored-params': {
                description: 'Fields of the request that had no effect, separated by commas',
                ...text,
              },
            },
            content: {
              'application/json': { schema: ref('ChatCompletion') },
              'text/event-stream': { schema: { anyOf: [ref('ChatChunk'), ref('Error')] } },
            },
          },
          ...failures([...FAILURES, ...WITH_KEY]),
        },
      },
    },
  },
  schemas: {
    ChatRequest: toJsonSchema(chatRequest),
    ChatCompletion: toJsonSchema(chatCompletion),
    ChatChunk: toJsonSchema(chatChunk),
    Error: toJsonSchema(errorBody),
  },
};
