import type { ChatRequest } from '../contract/api';

/** What the gateway has acted on itself. */
const ACTED_ON = new Set(['stream_options']);

/** `context.ignoredFields` of the contract. */
export function ignoredFields(request: ChatRequest, honoured: readonly string[] = []): string[] {
  const { temperature, topP, stop, maxTokens, responseFormat, extra } = request;
  const named = {
    temperature,
    top_p: topP,
    stop,
    max_tokens: maxTokens,
    response_format: responseFormat?.type === 'text' ? undefined : responseFormat,
  };
  const sent = Object.entries(named).filter(([, value]) => value !== undefined);
  return [...sent.map(([name]) => name), ...Object.keys(extra)].filter(
    (name) => !honoured.includes(name) && !ACTED_ON.has(name),
  );
}
