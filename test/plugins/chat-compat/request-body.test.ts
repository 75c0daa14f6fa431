import type { ChatRequest, Message } from 'drivebay/plugin';
import { toRequestBody } from '../../../plugins/chat-compat';
import { chatRequest } from '../harness';
import { call, calls, result, says, text } from '../messages';

function bodyOf(fields: Partial<ChatRequest>, includeUsage = true): Record<string, unknown> {
  return JSON.parse(toRequestBody(chatRequest(fields), includeUsage)) as Record<string, unknown>;
}

const choice = { properties: { a: { anyOf: [] }, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] };
const minimal = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: false };

test('a minimal request has no further fields', () => {
  expect(bodyOf({})).toEqual(minimal);
});

test.each<[string, Partial<ChatRequest>, object]>([
  ['stop', { stop: ['a', 'b'] }, { stop: ['a', 'b'] }],
  ['choices', { choices: 2 }, { n: 2 }],
  ['maxTokens', { maxTokens: 9 }, { max_tokens: 9 }],
  ['temperature', { temperature: 0 }, { temperature: 0 }],
  ['topP', { topP: 0.5 }, { top_p: 0.5 }],
  ['reasoningEffort', { reasoningEffort: 'HiGh' }, { reasoning_effort: 'HiGh' }],
  ['thinkingBudget', { thinkingBudget: 99 }, { thinking: { type: 'enabled', budget_tokens: 99 } }],
  [
    'the client’s own thinking before the budget',
    { thinkingBudget: 99, extra: { thinking: { type: 'disabled' } } },
    { thinking: { type: 'disabled' } },
  ],
  ['unknown fields', { extra: { seed: 1, top_k: 4, deep: { a: [1] } } }, { seed: 1, top_k: 4, deep: { a: [1] } }],
  ['known fields before extra', { maxTokens: 1, extra: { model: 'x', max_tokens: 2 } }, { max_tokens: 1 }],
  ['toolChoice by mode', { toolChoice: { type: 'required' } }, { tool_choice: 'required' }],
  [
    'toolChoice by name',
    { toolChoice: { type: 'tool', name: 'f' } },
    { tool_choice: { type: 'function', function: { name: 'f' } } },
  ],
  ['toolChoice in another form', { toolChoice: { type: 'other', value: { x: 1 } } }, { tool_choice: { x: 1 } }],
  [
    'one object in place of oneOf, anyOf or allOf at the top, and no schema in place of none',
    { tools: [{ name: 'f', parameters: choice }, { name: 'g' }] },
    {
      tools: [
        { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: choice.properties } } },
        { type: 'function', function: { name: 'g' } },
      ],
    },
  ],
  ['responseFormat', { responseFormat: { type: 'json_object' } }, { response_format: { type: 'json_object' } }],
  [
    'responseFormat with a schema',
    { responseFormat: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } },
    { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } } },
  ],
  ['responseFormat in another form', { responseFormat: { type: 'other', value: 7 } }, { response_format: 7 }],
  [
    'tools',
    { tools: [{ name: 'f', description: 'd', parameters: { type: 'object' }, strict: true }] },
    {
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'd', parameters: { type: 'object', properties: {} }, strict: true },
        },
      ],
    },
  ],
  ['tools as the client sent them', { tools: [{ name: 'x', raw: { type: 'web' } }] }, { tools: [{ type: 'web' }] }],
])('sends %s', (_, fields, sent) => {
  expect(bodyOf(fields)).toEqual({ ...minimal, ...sent });
});

describe('stream_options', () => {
  test('ask for usage in every stream and keep what the client set', () => {
    const extra = { stream_options: { include_usage: false, include_obfuscation: true } };
    expect(bodyOf({ stream: true, extra }).stream_options).toEqual({ include_usage: true, include_obfuscation: true });
    expect(bodyOf({ stream: true }).stream_options).toEqual({ include_usage: true });
  });

  test('are left out of a single-shot request and for servers that do not know them', () => {
    const extra = { stream_options: { include_usage: true } };
    expect(bodyOf({ extra })).not.toHaveProperty('stream_options');
    expect(bodyOf({ stream: true, extra }, false)).not.toHaveProperty('stream_options');
  });
});

test('a field named __proto__ is left out and changes nothing', () => {
  const extra = JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
  expect(toRequestBody(chatRequest({ extra }), true)).not.toContain('polluted');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const url = 'data:image/png;base64,AA==';

test.each<[string, Message, object]>([
  [
    'several parts',
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'a' },
        { type: 'image', url, detail: 'low' },
        { type: 'audio', data: 'AA', format: 'wav' },
        { type: 'file', data: 'AA', filename: 'f.pdf' },
        { type: 'file', id: 'file-1' },
        { type: 'other', value: { type: 'video_url', video_url: { url: 'u' } } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url, detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
        { type: 'file', file: { file_data: 'AA', filename: 'f.pdf' } },
        { type: 'file', file: { file_id: 'file-1' } },
        { type: 'video_url', video_url: { url: 'u' } },
      ],
    },
  ],
  [
    'a text part with fields of its own',
    { role: 'system', parts: [text('a', { cache_control: { type: 'ephemeral' } })] },
    { role: 'system', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }] },
  ],
  ['a developer as system', says('developer', 'a'), { role: 'system', content: 'a' }],
  [
    'name and unknown fields',
    { ...says('user', 'a'), name: 'bob', extra: { prefix: true } },
    { role: 'user', name: 'bob', content: 'a', prefix: true },
  ],
  ['an empty user message', says('user'), { role: 'user', content: '' }],
  ['an empty assistant message', says('assistant'), { role: 'assistant', content: '' }],
  ['a refusal', { ...calls(), extra: { refusal: 'no' } }, { role: 'assistant', content: null, refusal: 'no' }],
  [
    'tool calls with reasoning',
    calls(
      { type: 'reasoning', text: 'hm', extra: { reasoning_details: [1] } },
      call('c1', 'f', { extra_content: { signature: 's' } }),
      call('c2', 'g', { function: { x: 1, name: 'evil' } }),
    ),
    {
      role: 'assistant',
      reasoning_content: 'hm',
      reasoning_details: [1],
      content: null,
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'f', arguments: '{"of":"c1"}' },
          extra_content: { signature: 's' },
        },
        { id: 'c2', type: 'function', function: { name: 'g', arguments: '{"of":"c2"}', x: 1 } },
      ],
    },
  ],
  ['a tool result', result('c1', '42'), { role: 'tool', tool_call_id: 'c1', content: '42' }],
  [
    'a picture in a tool result',
    { role: 'tool', parts: [{ type: 'tool_result', callId: 'c1', content: [{ type: 'image', url }] }] },
    { role: 'tool', tool_call_id: 'c1', content: [{ type: 'image_url', image_url: { url } }] },
  ],
])('spells %s', (_, message, wire) => {
  expect(bodyOf({ messages: [message] }).messages).toEqual([wire]);
});
