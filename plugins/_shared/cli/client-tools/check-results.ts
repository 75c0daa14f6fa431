import type { DriverContext, Message } from 'drivebay/plugin';

/**
 * Refuses what the API of every vendor refuses: calls of the last answer without a result, and results without a call.
 * A program that waits for them stays as it is.
 */
export function checkResults(messages: readonly Message[], { error }: Pick<DriverContext, 'error'>): void {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const called = new Set<string>();
  for (const part of messages[last]?.parts ?? []) if (part.type === 'tool_call') called.add(part.id);
  const open = new Set(called);
  for (const [index, { parts }] of messages.slice(last + 1).entries()) {
    for (const part of parts) {
      if (part.type !== 'tool_result') continue;
      if (!called.has(part.callId)) {
        const message = `the result of ${part.callId} belongs to no tool call of the message before it`;
        throw error('invalid_request', message, { param: `messages[${last + 1 + index}]` });
      }
      open.delete(part.callId);
    }
  }
  if (open.size === 0) return;
  const ids = [...open].join(', ');
  throw error('invalid_request', `tool calls ${ids} have no result: answer each of them`, { param: 'messages' });
}
