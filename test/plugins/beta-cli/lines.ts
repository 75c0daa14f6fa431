const message = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });

/** A piece of a text, as with `--stream-partial-output`. */
export const piece = (text: string) => ({ type: 'assistant', message: message(text), timestamp_ms: 1779013673287 });

/** The whole of a text: before a tool call with the id of the model's call, at the end of the run without. */
export function whole(text: string, callId?: string): object {
  const of = callId === undefined ? {} : { model_call_id: callId, timestamp_ms: 1779013673356 };
  return { type: 'assistant', message: message(text), ...of };
}

export const tool = (subtype: string, callId?: string) => ({
  type: 'tool_call',
  subtype,
  call_id: 'call_1\nfc_1',
  tool_call: { shellToolCall: { args: { command: 'echo x' } } },
  ...(callId !== undefined && { model_call_id: callId }),
});

export const thought = (text: string) => ({ type: 'thinking', subtype: 'delta', text });
export const thoughtDone = { type: 'thinking', subtype: 'completed' };

export const init = (apiKeySource = 'login') => ({ type: 'system', subtype: 'init', apiKeySource, model: 'Auto' });

export const result = (text: string, fields: object = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: text,
  ...fields,
});
