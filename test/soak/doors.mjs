import { DOORS as STREAMS } from '../bench/doors.mjs';
import { questionOf } from './marks.mjs';

const user = (content) => ({ role: 'user', content });
const PARAMETERS = { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] };
const TOOL = { name: 'look_up', description: 'Looks something up' };

/**
 * The doors of the gateway. `conversation` makes the fields of a question with a tool, or, with the call that an answer has
 * made, those of the result of the tool; `callIn` reads that call.
 */
export const DOORS = {
  chat: {
    ...STREAMS.chat,
    body: (name) => ({ messages: [user(questionOf(name))] }),
    conversation: (name, call) => ({
      tools: [{ type: 'function', function: { ...TOOL, parameters: PARAMETERS } }],
      messages: [
        user(questionOf(name)),
        ...(call ? [call, { role: 'tool', tool_call_id: call.tool_calls[0].id, content: 'found' }] : []),
      ],
    }),
    callIn: ({ choices }) => choices[0].message.tool_calls?.length === 1 && choices[0].message,
  },
  messages: {
    ...STREAMS.messages,
    headers: { 'anthropic-version': '2023-06-01' },
    body: (name) => ({ max_tokens: 1000, messages: [user(questionOf(name))] }),
    conversation: (name, call) => ({
      max_tokens: 1000,
      tools: [{ ...TOOL, input_schema: PARAMETERS }],
      messages: [
        user(questionOf(name)),
        ...(call
          ? [
              { role: 'assistant', content: [call] },
              user([{ type: 'tool_result', tool_use_id: call.id, content: 'found' }]),
            ]
          : []),
      ],
    }),
    callIn: ({ content }) => content.find(({ type }) => type === 'tool_use'),
  },
  responses: {
    ...STREAMS.responses,
    body: (name) => ({ store: false, input: [user(questionOf(name))] }),
    conversation: (name, call) => ({
      store: false,
      tools: [{ type: 'function', ...TOOL, parameters: PARAMETERS }],
      input: [
        user(questionOf(name)),
        ...(call ? [call, { type: 'function_call_output', call_id: call.call_id, output: 'found' }] : []),
      ],
    }),
    callIn: ({ output }) => output.find(({ type }) => type === 'function_call'),
  },
};

/** The text of a stream, and whether it came to its end. Events that repeat the whole text are left out. */
export function readStream({ hasText, isLast }, text) {
  const events = text.split('\n\n').filter((event) => event !== '');
  return { text: events.filter((event) => hasText(event)).join('\n'), isWhole: events.some((event) => isLast(event)) };
}
