import { ANSWER, chunkText, COMPLETION, streamEvents } from './answers.mjs';

const plain = streamEvents(false);
const withUsage = streamEvents(true);

/** Splits one event where the text of the chunk goes: making each anew would cost the upstream more than sending it. */
function numbered(event) {
  const [before, after] = event('TEXT').split('TEXT');
  return (number) => before + chunkText(number) + after;
}

const chatCompletions = {
  path: '/chat/completions',
  whole: COMPLETION,
  model: ({ model }) => model,
  streams: ({ stream }) => stream === true,
  events: ({ stream_options }) => (stream_options?.include_usage ? withUsage : plain),
};

const messageUsage = { input_tokens: 212, cache_read_input_tokens: 0, output_tokens: 84 };
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
const messageEvent = (type, fields) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const messageEvents = {
  role:
    messageEvent('message_start', { message: { ...message, content: [], stop_reason: null, usage: messageUsage } }) +
    messageEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  text: numbered((text) => messageEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
  end:
    messageEvent('content_block_stop', { index: 0 }) +
    messageEvent('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 84 } }) +
    messageEvent('message_stop', {}),
};
const messages = {
  path: '/messages',
  whole: JSON.stringify({
    ...message,
    content: [{ type: 'text', text: ANSWER }],
    stop_reason: 'end_turn',
    usage: messageUsage,
  }),
  model: ({ model }) => model,
  streams: ({ stream }) => stream === true,
  events: () => messageEvents,
};

const contentUsage = { promptTokenCount: 212, candidatesTokenCount: 84, totalTokenCount: 296 };
const content = (text, rest = {}) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...rest }],
  usageMetadata: contentUsage,
  modelVersion: 'm',
});
const contentEvents = {
  role: '',
  text: numbered((text) => `data: ${JSON.stringify(content(text))}\n\n`),
  end: `data: ${JSON.stringify(content('', { finishReason: 'STOP' }))}\n\n`,
};
const generateContent = {
  path: 'enerateContent',
  whole: JSON.stringify(content(ANSWER, { finishReason: 'STOP' })),
  model: (_, path) => /models\/([^:]+):/.exec(path)[1],
  streams: (_, path) => path.includes(':streamGenerateContent'),
  events: () => contentEvents,
};

const response = { id: 'resp_1', object: 'response', created_at: 1, status: 'in_progress', output: [] };
const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' };
const responseUsage = { input_tokens: 212, output_tokens: 84, total_tokens: 296 };
const responseEvent = (type, fields) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const textDelta = { item_id: 'msg_1', output_index: 0, content_index: 0 };
// A program that prints whole messages alone has its text from here.
const output = [{ ...item, content: [{ type: 'output_text', text: '#0 ', annotations: [] }] }];
const responseEvents = {
  role:
    responseEvent('response.created', { response }) +
    responseEvent('response.output_item.added', { output_index: 0, item: { ...item, content: [] } }),
  text: numbered((delta) => responseEvent('response.output_text.delta', { ...textDelta, delta })),
  end:
    responseEvent('response.output_item.done', { output_index: 0, item: output[0] }) +
    responseEvent('response.completed', {
      response: { ...response, status: 'completed', output, usage: responseUsage },
    }),
};
const responses = {
  path: '/responses',
  whole: '{}',
  model: ({ model }) => model,
  streams: () => true,
  events: () => responseEvents,
};

/** The wire of a request: the path says it, for chat completions and for what SDKs and programs speak. */
export function wireOf(path) {
  return [chatCompletions, messages, generateContent, responses].find((wire) => path.split('?')[0].endsWith(wire.path));
}
