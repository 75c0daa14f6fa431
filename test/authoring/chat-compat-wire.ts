import { type HttpWire, json, type ScriptedAnswer, sse } from 'drivebay/testing';
import { completion, delta, DONE, finish, usageChunk } from '../setup/upstream';

/** How a server of chat completions speaks. */
export const chatCompatWire: HttpWire = {
  options: (url) => ({ base_url: `${url}/v1` }),
  probe: ({ method }) => (method === 'GET' ? json({ object: 'list', data: [{ id: 'kit-model-1' }] }) : undefined),
  answer(answer, { body }) {
    const { usage } = answer;
    const details = { prompt_tokens_details: { cached_tokens: usage.cachedInputTokens } };
    const total = usageChunk(usage.inputTokens, usage.outputTokens, details) as { usage: object };
    if (!body.stream) {
      const message = {
        role: 'assistant',
        content: answer.pieces.join(''),
        ...reasoningOf(answer),
        ...callsOf(answer),
      };
      const choice = { index: 0, message, finish_reason: answer.finish };
      return json(completion(message, { choices: [choice], usage: total.usage }));
    }
    return sse([
      delta({ role: 'assistant', content: '' }),
      ...(answer.reasoning === undefined ? [] : [delta(reasoningOf(answer))]),
      ...answer.pieces.map((piece) => delta(piece)),
      ...(answer.toolCalls ? [delta(callsOf(answer))] : []),
      finish(answer.finish),
      total,
      DONE,
    ]);
  },
  vectors: ({ vectors, inputTokens }) =>
    json({ data: vectors.map((embedding, index) => ({ index, embedding })), usage: { prompt_tokens: inputTokens } }),
  failure: ({ status, message }) => json({ error: { message, type: 'kit' } }, { status }),
  interruption: ({ message }) => [{ error: { message, type: 'kit' } }],
  received: ({ body, headers }) => ({
    model: body.model,
    texts: body.input ?? body.messages.flatMap(({ content }: { content: unknown }) => textsOf(content)),
    maxTokens: body.max_tokens,
    temperature: body.temperature,
    topP: body.top_p,
    stop: body.stop,
    reasoningEffort: body.reasoning_effort,
    thinkingBudget: body.thinking?.budget_tokens,
    key: headers.authorization?.replace('Bearer ', ''),
    tools: body.tools?.map((tool: { function: { name: string } }) => tool.function.name),
  }),
};

const reasoningOf = ({ reasoning }: ScriptedAnswer) =>
  reasoning === undefined ? {} : { reasoning_content: reasoning };

function callsOf({ toolCalls }: ScriptedAnswer): Record<string, unknown> {
  if (!toolCalls) return {};
  const calls = toolCalls.map(({ id, name, arguments: text, signature }, index) => ({
    ...{ index, id, type: 'function', function: { name, arguments: text } },
    ...(signature !== undefined && { extra_content: { vendor: { thought_signature: signature } } }),
  }));
  return { tool_calls: calls };
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return Array.isArray(content) ? content.map(({ text }: { text?: string }) => text ?? '') : [];
}
