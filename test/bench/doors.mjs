// Together with the wrapping JSON this makes a request body of 1 KB.
const QUESTION = 'How long is a piece of string? '.repeat(29);
const INSTRUCTION = 'You answer in one sentence.';
const user = { role: 'user', content: QUESTION };

/**
 * The doors of the gateway: the path, the body of a request, and of a stream the events that hold pieces of text, and the
 * last one. An event of some wires repeats the whole text.
 */
export const DOORS = {
  chat: {
    path: '/v1/chat/completions',
    body: () => ({ messages: [{ role: 'system', content: INSTRUCTION }, user] }),
    hasText: () => true,
    isLast: (event) => event === 'data: [DONE]',
  },
  messages: {
    path: '/v1/messages',
    headers: 'anthropic-version: 2023-06-01\r\n',
    body: () => ({ max_tokens: 1024, system: INSTRUCTION, messages: [user] }),
    hasText: (event) => event.startsWith('event: content_block_delta\n'),
    isLast: (event) => event.startsWith('event: message_stop\n'),
  },
  responses: {
    path: '/v1/responses',
    body: () => ({ store: false, instructions: INSTRUCTION, input: [user] }),
    hasText: (event) => event.includes('"response.output_text.delta"'),
    isLast: (event) => event.includes('"response.completed"'),
  },
};

/** Those that are measured relative to chat completions. */
export const OTHER_DOORS = Object.keys(DOORS).filter((door) => door !== 'chat');
