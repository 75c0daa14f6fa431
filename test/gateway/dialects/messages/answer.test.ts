import type { RunningGateway } from '../../../setup/running-gateway';
import { logged, type Step, stop, text, useScripted } from '../../scripted-driver';
import type { Json } from '../../wire';
import { askMessage, framesOf, piece, shortForm, thought } from './message-wire';

let gateway: RunningGateway;
useScripted((started) => (gateway = started));

const streamed = async (script: Step[]) => (await askMessage(gateway, { stream: true, script })).text;
const whole = async (script: Step[]) => JSON.parse((await askMessage(gateway, { script })).text) as Json;
const end: Step = { type: 'reasoning_end' };
const calls: Step = { type: 'finish', reason: 'tool_calls' };

describe('a stream numbers its blocks, and stops each before the next', () => {
  test.each<[string, Step[], string]>([
    ['text', [text('Hi'), text(' you'), stop], '+0:text "Hi" " you" -0 end_turn stop'],
    [
      'reasoning, then text',
      [thought('Well.'), text('Hi'), stop],
      '+0:thinking "Well." -0 +1:text "Hi" -1 end_turn stop',
    ],
    [
      'several blocks of reasoning, signed or not',
      [thought('a'), { ...end, extra: { s: 1 } }, thought('b', { s: 2 }), thought('c'), end, text('Hi'), stop],
      '+0:thinking "a" "signature" -0 +1:thinking "b" "c" "signature" -1 +2:text "Hi" -2 end_turn stop',
    ],
    [
      'a signature without reasoning',
      [{ ...end, extra: { s: 1 } }, text('Hi'), stop],
      '+0:thinking "signature" -0 +1:text "Hi" -1 end_turn stop',
    ],
    [
      'a signature behind words and before a call',
      [text('Hi'), { ...end, extra: { s: 1 } }, piece(0, '{}', { id: 'x', name: 'f' }), calls],
      '+0:text "Hi" -0 +1:thinking "signature" -1 +2:tool_use "{}" -2 tool_use stop',
    ],
    [
      'signatures behind a call',
      [piece(0, '{}', { id: 'x', name: 'f' }), { ...end, extra: { s: 1 } }, { ...end, extra: { s: 2 } }, calls],
      '+0:tool_use "{}" -0 +1:thinking "signature" -1 +2:thinking "signature" -2 tool_use stop',
    ],
    [
      'a signature behind the last words, which is left out',
      [text('Hi'), { ...end, extra: { s: 1 } }, stop],
      '+0:text "Hi" -0 end_turn stop',
    ],
    ['an end of nothing', [end, text('Hi'), end, stop], '+0:text "Hi" -0 end_turn stop'],
    [
      'text, thinking, a call, text',
      [text('a'), thought('b'), piece(0, '{}', { id: 'x', name: 'f' }), text('c'), calls],
      '+0:text "a" -0 +1:thinking "b" -1 +2:tool_use "{}" -2 +3:text "c" -3 tool_use stop',
    ],
    [
      'a call in pieces',
      [piece(0, '', { id: 'x', name: 'f' }), piece(0, '{"a'), piece(0, '":1}'), calls],
      '+0:tool_use "{\\"a" "\\":1}" -0 tool_use stop',
    ],
    ['a call without arguments', [piece(0, '', { id: 'x', name: 'f' }), calls], '+0:tool_use "{}" -0 tool_use stop'],
    [
      'a name that comes late',
      [piece(0, '{"a"', { id: 'x' }), piece(0, '', { name: 'f' }), piece(0, ':1}'), calls],
      '+0:tool_use "{\\"a\\"" ":1}" -0 tool_use stop',
    ],
    [
      'calls whose pieces come in turns',
      [
        piece(0, '{"a"', { id: 'x', name: 'f' }),
        piece(1, '{"b"', { id: 'y', name: 'g' }),
        piece(0, ':1}'),
        piece(2, '{}', { id: 'z', name: 'h' }),
        piece(1, ':2}'),
        text('done'),
        calls,
      ],
      '+0:tool_use "{\\"a\\"" ":1}" -0 +1:tool_use "{\\"b\\"" ":2}" -1 +2:tool_use "{}" -2 +3:text "done" -3 tool_use stop',
    ],
    [
      'a call that never becomes whole',
      [piece(0, '{"a', { id: 'x', name: 'f' }), text('b'), piece(1, '{', { id: 'y', name: 'g' }), calls],
      '+0:tool_use "{\\"a" -0 +1:text "b" -1 +2:tool_use "{" -2 tool_use stop',
    ],
    [
      'a call that never gets a name',
      [text('Hi'), piece(0, '{"a"', { id: 'x' }), piece(0, ':1}'), calls],
      '+0:text "Hi" -0 +1:tool_use "{\\"a\\":1}" -1 tool_use stop',
    ],
    ['a limit', [text('Hi'), { type: 'finish', reason: 'length' }], '+0:text "Hi" -0 max_tokens stop'],
    ['a filter', [text('Hi'), { type: 'finish', reason: 'content_filter' }], '+0:text "Hi" -0 refusal stop'],
    ['no call behind the promise of one', [text('Hi'), calls], '+0:text "Hi" -0 end_turn stop'],
    ['a refusal', [{ type: 'extra', delta: { refusal: 'No.' } }, stop], '+0:text "No." -0 refusal stop'],
    [
      'a picture',
      [
        { type: 'extra', delta: { images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] } },
        stop,
      ],
      '+0:text "![image](data:image/png;base64,AA)" -0 end_turn stop',
    ],
    ['what has no place here', [{ type: 'activity', tool: 'x' }, text('Hi'), stop], '+0:text "Hi" -0 end_turn stop'],
  ])('%s', async (_name, script, expected) => {
    expect(shortForm(await streamed(script))).toBe(`start ${expected}`);
  });
});

test('a whole answer says the same as the stream', async () => {
  const script = [
    thought('a', { s: 1 }),
    text('b'),
    piece(0, '{"c":', { id: 'x', name: 'f' }),
    piece(0, '[1]}'),
    // A backend that estimates reports fractions. Typed clients fail on them.
    { type: 'usage', inputTokens: 100.4, outputTokens: 7.2, cachedInputTokens: 60.3, cacheWriteInputTokens: 29.9 },
    calls,
  ];
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 30,
    cache_read_input_tokens: 60,
    output_tokens: 7,
  };
  expect(await whole(script)).toEqual({
    id: expect.stringMatching(/^msg_\d+$/),
    type: 'message',
    role: 'assistant',
    model: 'main',
    content: [
      { type: 'thinking', thinking: 'a', signature: expect.stringMatching(/^-drivebay1-/) },
      { type: 'text', text: 'b' },
      { type: 'tool_use', id: 'x', name: 'f', input: { c: [1] } },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage,
  });
  const frames = framesOf(await streamed(script));
  expect(frames[0]?.data.message).toMatchObject({ model: 'main', content: [], usage: { input_tokens: 0 } });
  expect(frames.at(-2)?.data).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage });
});

describe('the sequence that ended an answer is named', () => {
  const stopped: Step = { type: 'finish', reason: 'stop', stopSequence: 'END' };
  const reported = { stop_reason: 'stop_sequence', stop_sequence: 'END' };

  test.each<[string, Step[]]>([
    ['behind its words', [text('Hi'), stopped]],
    ['where it came before the first word', [stopped]],
  ])('%s', async (_, script) => {
    expect(await whole(script)).toMatchObject(reported);
    expect(framesOf(await streamed(script)).at(-2)?.data.delta).toEqual(reported);
  });

  test('but not in place of a call', async () => {
    const script = [piece(0, '{}', { id: 'x', name: 'f' }), stopped];
    expect(await whole(script)).toMatchObject({ stop_reason: 'tool_use', stop_sequence: null });
  });
});

describe('a request for a summary', () => {
  const compaction = { type: 'summarize' };
  const summary = { type: 'compaction', content: 'They said hello.', encrypted_content: null };
  const said = [thought('Hm.'), text('They said '), text('hello.'), stop];

  test('is answered with one block, and the reason for it', async () => {
    const whole = JSON.parse((await askMessage(gateway, { script: said, compaction })).text) as Json;
    expect(whole).toMatchObject({ stop_reason: 'compaction', content: [summary] });
    const frames = framesOf((await askMessage(gateway, { script: said, compaction, stream: true })).text);
    expect(frames.map(({ data }) => [data.type, data.content_block ?? data.delta]).slice(1, -1)).toEqual([
      ['content_block_start', { ...summary, content: '' }],
      ['content_block_delta', { type: 'compaction_delta', content: summary.content }],
      ['content_block_stop', undefined],
      ['message_delta', { stop_reason: 'compaction', stop_sequence: null }],
    ]);
  });

  test.each([
    ['a question of ours', undefined, /^Write a summary/],
    ['the question of the client', 'In one word.', /^In one word\.$/],
  ])('asks the model with %s, and for no call of a tool', async (_, instructions, question) => {
    const fields = {
      compaction: { ...compaction, instructions },
      tools: [{ name: 'f' }],
      script: [{ echo: 'request' }, stop],
    };
    const { content } = JSON.parse((await askMessage(gateway, fields)).text) as { content: [{ content: string }] };
    const { messages, toolChoice } = JSON.parse(content[0].content) as { messages: Json[]; toolChoice: Json };
    expect(messages.at(-1)!.parts).toEqual([{ type: 'text', text: expect.stringMatching(question) }]);
    expect(toolChoice).toEqual({ type: 'none' });
  });
});

test('calls get ids, and their input is always an object: arguments of another type stay readable in it', async () => {
  const written = [piece(0, '{"a": "b', { name: 'f' }), piece(1, '{}', { name: 'g' }), piece(2, '[1]', { name: 'h' })];
  const { content } = await whole([...written, calls]);
  const id: unknown = expect.stringMatching(/^toolu_\d+_\d$/);
  expect(content).toEqual([
    { type: 'tool_use', id, name: 'f', input: { arguments: '{"a": "b' } },
    { type: 'tool_use', id, name: 'g', input: {} },
    { type: 'tool_use', id, name: 'h', input: { arguments: [1] } },
  ]);
  expect(content[0].id).not.toBe(content[1].id);
});

describe('what a driver wants back', () => {
  test('comes back to it, and the ids of its calls are its own', async () => {
    const signed = piece(0, '{}', { id: 'x', name: 'f', extra: { sign: 2 } });
    const blocks = [{ type: 'thinking', thinking: 'a', signature: 'S' }];
    const { content } = await whole([thought('a', { thinking_blocks: blocks }), signed, calls]);
    expect(content[1].id).toMatch(/^x-drivebay1-/);
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: content[1].id, content: 'ok' }] },
    ];
    const echoed = async (model: string) => {
      const { text: answer } = await askMessage(gateway, { model, messages, script: [{ echo: 'request' }, stop] });
      return JSON.parse((JSON.parse(answer) as Json).content[0].text as string) as Json;
    };
    const own = await echoed('main:another');
    expect(own.messages[1].parts).toEqual([
      { type: 'reasoning', text: 'a', extra: { thinking_blocks: blocks } },
      { type: 'tool_call', id: 'x', name: 'f', arguments: '{}', extra: { sign: 2 } },
    ]);
    expect(own.messages[2].parts).toMatchObject([{ callId: 'x' }]);
    // A driver of this wire gets what it can read, and the blocks that it made.
    const call = { type: 'tool_use', id: 'x', name: 'f', input: {} };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: 'ok' }] };
    const turn = (content: Json[]) => [{ role: 'assistant', content }, result];
    expect(own.origin.body.messages.slice(1)).toEqual(turn([...blocks, call]));
    const others = await echoed('plain');
    expect(others.origin.body.messages.slice(1)).toEqual(turn([call]));
    expect(others.messages[1].parts).toEqual([
      { type: 'reasoning', text: 'a' },
      { type: 'tool_call', id: 'x', name: 'f', arguments: '{}' },
    ]);
  });
});

describe('an answer in this wire', () => {
  const usage = { input_tokens: 1, output_tokens: 1, new_counter: 1 };
  const start = { type: 'message_start', message: { id: 'msg_theirs', new_field: 1, usage } };
  const native = (...values: Json[]): Step[] => values.map((value) => ({ type: 'native', value }));
  const pieces = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
  ];

  test('has the name of the model that the client asked for, because it drops thinking of others', async () => {
    const renamed = { message: { id: 'msg_theirs', new_field: 1, model: 'main' } };
    expect(framesOf(await streamed([...native(start), text('x'), stop]))[0]?.data).toMatchObject(renamed);
    expect(await whole([...native({ model: 'x', content: [] }), text('x'), stop])).toMatchObject({ model: 'main' });
  });

  test('passes as the backend sent it', async () => {
    const events = [start, ...pieces, { type: 'content_block_stop', index: 0 }, { type: 'message_stop', x: 1 }];
    const script = native(...events).flatMap((event) => [event, text('Hi')]);
    const ask = async (fields: Json) => (await askMessage(gateway, { model: 'm-1', ...fields })).text;
    const transcript = await ask({ stream: true, script: [...script, stop] });
    expect(framesOf(transcript).map(({ data }) => data)).toEqual(events);
    const body = { id: 'msg_theirs', content: [], new_field: 1, usage };
    expect(JSON.parse(await ask({ script: [...native(body), text('Hi'), stop] }))).toEqual(body);
  });

  test.each([null, undefined])('has counts also where the backend sends %s: clients fail without', async (usage) => {
    const none = { input_tokens: 0, output_tokens: 0 };
    const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage };
    const begin = { type: 'message_start', message: { id: 'msg_theirs', usage } };
    const frames = framesOf(await streamed([...native(begin, ...pieces, end), text('Hi'), stop]));
    expect([frames[0]?.data.message, frames.at(-1)?.data]).toMatchObject([{ usage: none }, { usage: none }]);
    expect(await whole([...native({ content: [], usage }), text('Hi'), stop])).toMatchObject({ usage: none });
    const atStart = framesOf(await streamed([...native(start, ...pieces, end), text('Hi'), stop]));
    expect(atStart.at(-1)?.data.usage).toEqual(start.message.usage);
  });

  test('that breaks is closed before the error, and the error is told once', async () => {
    const script = [...native(start, ...pieces, { type: 'error', error: {} }), text('x')];
    const transcript = await streamed([...script, { fail: ['upstream', 'it broke'] }]);
    expect(shortForm(transcript)).toBe('start +0:text "Hi" -0 error:api_error');
  });

  test('that breaks in a call leaves the call open', async () => {
    const call = { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'x', name: 'f' } };
    const transcript = await streamed([...native(start, call), text('x'), { fail: ['upstream', 'it broke'] }]);
    expect(framesOf(transcript).map(({ event, data }) => `${event} ${data.index ?? ''}`.trim())).toEqual([
      'message_start',
      'content_block_start 0',
      'content_block_start 1',
      'content_block_stop 1',
      'error',
    ]);
  });
});

test('the answer has the id of the request under both names, and the log has the dialect', async () => {
  const { headers } = await askMessage(gateway, {}, { path: '/v1/messages?beta=true' });
  const id = headers.get('request-id');
  expect(id).toBe(headers.get('x-request-id'));
  expect(headers.get('x-drivebay-provider')).toBe('main');
  const line = await logged(gateway, 'message', { id });
  expect(line).toMatchObject({ dialect: 'messages', provider: 'main', status: 200, input_tokens: 3 });
});

test.each([undefined, null, ''])(
  'an answer to a request whose model is %p names the one that answers',
  async (model) => {
    const fields = { model, script: [text('Hi'), stop] };
    expect(JSON.parse((await askMessage(gateway, fields)).text)).toMatchObject({ model: 'm-1' });
    const [begin] = framesOf((await askMessage(gateway, { ...fields, stream: true })).text);
    expect(begin!.data.message).toMatchObject({ model: 'm-1' });
  },
);
