import { z } from 'zod';
import { errorKinds } from '../contract/error-kinds';
import { errorCodes } from './error-codes';
import { requestFields } from './request-fields';

// What goes over the wire, for the OpenAPI description. Answers are not checked against it as they leave: a test does that.
// Everything is open: backends add fields, and Drivebay passes them on.

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

export const chatRequest = requestFields
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

export const chatCompletion = z.looseObject({
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

export const chatChunk = z
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

export const model = z.strictObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string().describe('The provider'),
});

export const modelList = z.strictObject({ object: z.literal('list'), data: z.array(model) });

export const health = z.strictObject({ status: z.literal('ok'), providers: count });

export const errorBody = z.strictObject({
  error: z.strictObject({
    message: z.string(),
    type: z.enum([...new Set(Object.values(errorCodes).map(({ type }) => type))]),
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
