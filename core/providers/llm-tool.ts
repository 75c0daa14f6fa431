import { z } from 'zod';
import { explainLines } from '../config/explain-issue';
import { jsonSchemaOf } from '../config/json-schema';
import { parseSafely } from '../config/parse-safely';
import type { ChatRequest, Message } from '../contract/api';

const inputSchema = z.strictObject({
  prompt: z.string().min(1).describe('What to ask. The model sees nothing else, so say all that it needs to know'),
  system: z.string().optional().describe('Instructions on how to answer'),
  model: z.string().min(1).optional().describe('Another model of this provider than its default'),
});

/** The description of a model as a tool of another one. */
export function llmSchema(name: string, model: string | undefined) {
  const which = model === undefined ? '' : ` (${model})`;
  const description = `Asks the language model "${name}"${which} and returns its answer.`;
  return { description, parameters: { ...jsonSchemaOf(inputSchema) } };
}

export function toChatRequest(input: unknown): ChatRequest {
  const parsed = parseSafely(inputSchema, input);
  if (!parsed.success) {
    throw new Error(explainLines(inputSchema, input, parsed.error.issues, 'the arguments').join('; '));
  }
  const { prompt, system, model } = parsed.data;
  const say = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });
  return {
    stream: true,
    messages: [...(system ? [say('system', system)] : []), say('user', prompt)],
    extra: {},
    model,
  };
}
