import type { Message, Part, ToolCallPart } from 'drivebay/plugin';

type Extra = Record<string, unknown>;

export const text = (value: string, extra?: Extra): Part => ({ type: 'text', text: value, ...(extra && { extra }) });

export const says = (role: Message['role'], ...texts: string[]): Message => ({
  role,
  parts: texts.map((each) => text(each)),
});

export const call = (id: string, name = 'f', extra?: Extra): ToolCallPart => ({
  type: 'tool_call',
  id,
  name,
  arguments: `{"of":"${id}"}`,
  ...(extra && { extra }),
});

export const calls = (...parts: Part[]): Message => ({ role: 'assistant', parts });

export const result = (callId: string, value: string): Message => ({
  role: 'tool',
  parts: [{ type: 'tool_result', callId, content: [{ type: 'text', text: value }] }],
});
