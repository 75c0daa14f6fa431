// What backends speak: chat completions with embeddings, and Messages.

const event = (value) => `data: ${JSON.stringify(value)}\n\n`;
const usageOf = (number) => ({ prompt_tokens: number, completion_tokens: 1, total_tokens: number + 1 });
const chunk = (choices, rest) =>
  event({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...rest });
const choice = (delta, finish_reason = null) => [{ index: 0, delta, finish_reason }];
const completion = (message, finish_reason, number) => ({
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm', usage: usageOf(number) },
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason }],
});

/** A model with tools calls one before it answers, unless a tool has asked it. */
function callOf({ tools, messages }, name, number) {
  if (!tools?.length || name.endsWith('d') || messages.at(-1).role !== 'user') return undefined;
  // Agents have every device; this one has no tools of its own in turn.
  const tool = tools.find((each) => each.function.name === 'llm_sdk') ?? tools[0];
  const call = { name: tool.function.name, arguments: JSON.stringify({ prompt: `What is [${name}d]?` }) };
  return { id: `call_${number}`, type: 'function', function: call };
}

const chatCompletions = {
  whole: (content, number) => completion({ content }, 'stop', number),
  call: (body, name, number) => {
    const call = callOf(body, name, number);
    return call && completion({ tool_calls: [call] }, 'tool_calls', number);
  },
  streamedCall: (body, name, number) => {
    const call = callOf(body, name, number);
    if (!call) return undefined;
    const end = choice({}, 'tool_calls');
    return chunk(choice({ tool_calls: [{ index: 0, ...call }] })) + chunk(end) + chatCompletions.usage(number);
  },
  first: () => chunk(choice({ role: 'assistant', content: '' })),
  piece: (content) => chunk(choice({ content })),
  usage: (number) => chunk([], { usage: usageOf(number) }) + 'data: [DONE]\n\n',
  last: (number) => chunk(choice({}, 'stop')) + chatCompletions.usage(number),
};

const embeddings = {
  whole: (_, number) => ({
    ...{ object: 'list', model: 'm', usage: { prompt_tokens: number, total_tokens: number } },
    data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.5] }],
  }),
};

const tokens = (number) => ({ input_tokens: number, output_tokens: 1 });
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
const named = (type, fields) => `event: ${type}\n${event({ type, ...fields })}`;
const messages = {
  whole: (text, number) => ({
    ...message,
    ...{ content: [{ type: 'text', text }], stop_reason: 'end_turn', usage: tokens(number) },
  }),
  first: (number) =>
    named('message_start', { message: { ...message, content: [], stop_reason: null, usage: tokens(number) } }) +
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  piece: (text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  last: () =>
    named('content_block_stop', { index: 0 }) +
    named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }) +
    named('message_stop', {}),
};

const WIRES = { '/chat/completions': chatCompletions, '/embeddings': embeddings, '/messages': messages };

export function wireOf(url) {
  const path = url.split('?')[0];
  return Object.entries(WIRES).find(([end]) => path.endsWith(end))?.[1];
}
