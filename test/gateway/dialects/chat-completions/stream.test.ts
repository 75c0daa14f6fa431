import { ChunkWriter } from '../../../../core/gateway/dialects/chat-completions/chunk-writer';
import type { RunningGateway } from '../../../setup/running-gateway';
import { type Step, stop, text, useScripted } from '../../scripted-driver';
import { errorOf, events, masked } from '../../wire';

let gateway: RunningGateway;
useScripted((started) => (gateway = started));

async function stream(script: Step[], fields: Record<string, unknown> = {}): Promise<string> {
  const response = await gateway.chat({ model: 'main', stream: true, script, ...fields });
  expect(response.status).toBe(200);
  return response.text();
}

const HEAD = '{"id":"chatcmpl-0","object":"chat.completion.chunk","created":0,"model":"main","choices":[';
const ROLE = '{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}';
const piece = (delta: string, finish = 'null') =>
  `{"index":0,"delta":{${delta}},"logprobs":null,"finish_reason":${finish}}`;
/** The transcript of a stream whose chunks hold these choices. */
const transcript = (...choices: string[]) =>
  `${choices.map((choice) => `data: ${HEAD}${choice}]}\n\n`).join('')}data: [DONE]\n\n`;

const usage: Step = { type: 'usage', inputTokens: 9, outputTokens: 2, cachedInputTokens: 4, reasoningTokens: 1 };

test('a text is role, one chunk per piece, finish, [DONE], byte for byte', async () => {
  const received = await stream([text('Hel'), text('lo "you"\n\u2028é'), stop]);
  expect(masked(received)).toBe(
    transcript(ROLE, piece('"content":"Hel"'), piece('"content":"lo \\"you\\"\\n\u2028é"'), piece('', '"stop"')),
  );
});

test('a usage is not told unless it was asked for', async () => {
  const expected = transcript(ROLE, piece('"content":"Hi"'), piece('', '"stop"'));
  expect(masked(await stream([text('Hi'), usage, stop]))).toBe(expected);
  const off = { stream_options: { include_usage: false } };
  expect(masked(await stream([text('Hi'), usage, stop], off))).toBe(expected);
});

test('include_usage puts a null on every chunk and one chunk with the totals before [DONE]', async () => {
  const received = await stream([text('Hi'), usage, stop], { stream_options: { include_usage: true } });
  const withNull = [ROLE, piece('"content":"Hi"'), piece('', '"stop"')]
    .map((choice) => `data: ${HEAD}${choice}],"usage":null}\n\n`)
    .join('');
  const totals =
    '"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,' +
    '"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":1}}';
  expect(masked(received)).toBe(`${withNull}data: ${HEAD}],${totals}}\n\ndata: [DONE]\n\n`);
});

test('a usage that the driver does not know is 0, never an estimate', async () => {
  const received = await stream([text('Hi'), stop], { stream_options: { include_usage: true } });
  expect(events(received).at(-1)).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  });
});

test('two parallel tool calls keep their index, and are named in their first piece only', async () => {
  const received = await stream([
    { type: 'tool_call', index: 0, id: 'call_a', name: 'f', arguments: '' },
    { type: 'tool_call', index: 0, arguments: '{"a":' },
    { type: 'tool_call', index: 1, name: 'g', arguments: '{}' },
    { type: 'tool_call', index: 0, id: 'call_a', name: 'f', arguments: '1}' },
    { type: 'finish', reason: 'tool_calls' },
  ]);
  const first = (index: number, id: string, name: string, args: string) =>
    piece(
      `"tool_calls":[{"index":${index},"id":"${id}","type":"function","function":{"name":"${name}","arguments":"${args}"}}]`,
    );
  const more = (args: string) => piece(`"tool_calls":[{"index":0,"function":{"arguments":"${args}"}}]`);
  expect(masked(received)).toBe(
    transcript(
      ROLE,
      first(0, 'call_a', 'f', ''),
      more('{\\"a\\":'),
      // The backend gave it no id.
      first(1, 'call_0_1', 'g', '{}'),
      more('1}'),
      piece('', '"tool_calls"'),
    ),
  );
});

test('an error in the middle is one error event and [DONE], without a finish chunk', async () => {
  const received = await stream([text('Hel'), { fail: ['upstream', 'it broke', { status: 500 }] }]);
  const error =
    '{"error":{"message":"provider \\"main\\": it broke","type":"server_error","code":"upstream_error","param":null,' +
    '"details":{"kind":"upstream","provider":"main","upstream_status":500}}}';
  expect(masked(received)).toBe(
    `data: ${HEAD}${ROLE}]}\n\ndata: ${HEAD}${piece('"content":"Hel"')}]}\n\ndata: ${error}\n\ndata: [DONE]\n\n`,
  );
});

test('reasoning is reasoning_content, and never content', async () => {
  const received = await stream([{ type: 'reasoning', text: 'think', extra: { signature: 'abc' } }, text('Hi'), stop]);
  expect(masked(received)).toBe(
    transcript(
      ROLE,
      piece('"reasoning_content":"think","signature":"abc"'),
      piece('"content":"Hi"'),
      piece('', '"stop"'),
    ),
  );
});

test('what the ends of blocks of reasoning say comes once, before the finish; native events are for other wires', async () => {
  const received = await stream([
    { type: 'native', value: { type: 'message_start' } },
    { type: 'reasoning', text: 'think' },
    { type: 'reasoning_end', extra: { blocks: ['a'] } },
    text('Hi'),
    { type: 'reasoning_end', extra: { blocks: ['b'] } },
    stop,
  ]);
  expect(masked(received)).toBe(
    transcript(
      ROLE,
      piece('"reasoning_content":"think"'),
      piece('"content":"Hi"'),
      piece('"reasoning_content":"","blocks":["a","b"]'),
      piece('', '"stop"'),
    ),
  );
});

test('fields that Drivebay does not know travel with the next chunk of their choice, and with every later chunk', async () => {
  const received = await stream([
    { type: 'extra', delta: { annotations: [1] }, choiceFields: { logprobs: { content: [] } } },
    text('Hi'),
    { type: 'extra', response: { system_fingerprint: 'fp' } },
    text('!'),
    stop,
  ]);
  const head = HEAD.replace('{"id"', '{"system_fingerprint":"fp","id"');
  expect(masked(received)).toBe(
    `data: ${HEAD}${ROLE}]}\n\n` +
      `data: ${HEAD}{"index":0,"delta":{"content":"Hi","annotations":[1]},"logprobs":{"content":[]},"finish_reason":null}]}\n\n` +
      `data: ${head}${piece('"content":"!"')}]}\n\n` +
      `data: ${head}${piece('', '"stop"')}]}\n\n` +
      'data: [DONE]\n\n',
  );
});

test('no driver can change id, object, created, model or choices', async () => {
  const response = { id: 'x', object: 'y', created: 'z', model: 'other', choices: 'none' };
  const received = events(await stream([{ type: 'extra', response }, text('Hi'), stop]));
  expect(received.length).toBeGreaterThan(1);
  for (const event of received) {
    expect(event).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-\d+$/),
      object: 'chat.completion.chunk',
      model: 'main',
      choices: [{ index: 0 }],
    });
  }
});

test('each choice opens with its own role and has its own finish', async () => {
  const received = await stream(
    [
      { type: 'text', text: 'A', choice: 0 },
      { type: 'text', text: 'B', choice: 1 },
      { type: 'finish', reason: 'stop', choice: 0 },
      { type: 'text', text: 'b', choice: 1 },
      { type: 'finish', reason: 'length', choice: 1 },
    ],
    { n: 2 },
  );
  const second = (choice: string) => choice.replace('"index":0', '"index":1');
  expect(masked(received)).toBe(
    transcript(
      ROLE,
      piece('"content":"A"'),
      second(ROLE),
      second(piece('"content":"B"')),
      piece('', '"stop"'),
      second(piece('"content":"b"')),
      second(piece('', '"length"')),
    ),
  );
});

test('id, created and model are the same on every chunk, and the id is fresh for every answer', async () => {
  const script = [...'abcdef'].map(text).concat(stop);
  const all = await Promise.all(Array.from({ length: 20 }, () => stream(script)));
  const ids = all.map((received) => {
    const heads = new Set(events(received).map(({ id, created, model }) => `${id} ${created} ${model}`));
    expect(heads.size).toBe(1);
    return events(received)[0]?.id as string;
  });
  expect(new Set(ids).size).toBe(20);
  for (const id of ids) expect(id).toMatch(/^chatcmpl-\d+$/);
});

test('the head of a stream forbids caching and buffering', async () => {
  const response = await gateway.chat({ model: 'main', stream: true });
  await response.text();
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    'x-drivebay-provider': 'main',
    'x-request-id': expect.stringMatching(/^req_/),
  });
});

test('the head of a stream waits for the first content: an early failure has its real status', async () => {
  const early = [{ pause: 30 }, { type: 'meta', model: 'x' }, { fail: ['timeout', 'too slow'] }];
  const response = await gateway.chat({ model: 'main', stream: true, script: early });
  expect(response.status).toBe(504);
  expect(errorOf(await response.text()).code).toBe('timeout');
});

describe('the writer of chunks', () => {
  const head = { id: 'chatcmpl-1', created: 1, model: 'm' };

  test('fields that no event takes along get a chunk of their own, once', () => {
    const writer = new ChunkWriter(head, false);
    writer.frames({ type: 'text', text: 'x' });
    expect(writer.frames({ type: 'extra', delta: { annotations: [1] } })).toBe('');
    expect(writer.frames({ type: 'extra', delta: { annotations: [2] } })).toBe('');
    expect(events(writer.leftovers())[0]?.choices[0]).toMatchObject({ delta: { annotations: [1, 2] } });
    expect(writer.leftovers()).toBe('');
  });

  test('fields wait for their own choice', () => {
    const writer = new ChunkWriter(head, false);
    writer.frames({ type: 'extra', choice: 1, delta: { a: 1 } });
    expect(events(writer.frames({ type: 'text', text: 'x', choice: 0 }))[1]?.choices[0].delta).toEqual({
      content: 'x',
    });
    const [, second] = events(writer.frames({ type: 'text', text: 'y', choice: 1 }));
    expect(second?.choices[0]).toMatchObject({ index: 1, delta: { content: 'y', a: 1 } });
  });

  test('every frame is one line, whatever the text holds', () => {
    const writer = new ChunkWriter({ ...head, model: 'a\n\ndata: [DONE]' }, true);
    const frames = writer.frames({ type: 'text', text: '\r\n\n\ndata: [DONE]\n\n' }) + writer.end();
    expect(frames.split('\n\n').map((frame) => frame.includes('\n'))).not.toContain(true);
    expect(frames.match(/^data: \[DONE\]$/gm)).toHaveLength(1);
  });

  test('events without a place in a stream write nothing', () => {
    const writer = new ChunkWriter(head, false);
    expect(writer.frames({ type: 'meta', model: 'x' })).toBe('');
    expect(writer.frames({ type: 'usage', inputTokens: 1, outputTokens: 1 })).toBe('');
    expect(writer.frames({ type: 'of the future' } as never)).toBe('');
    expect(writer.keepAlive()).toBe(': keep-alive\n\n');
  });

  test('the extra fields of a tool call are merged into it', () => {
    const writer = new ChunkWriter(head, false);
    const frames = writer.frames({
      type: 'tool_call',
      index: 0,
      id: 'c',
      name: 'f',
      extra: { extra_content: { a: 1 } },
    });
    expect(events(frames)[1]?.choices[0].delta.tool_calls[0]).toEqual({
      index: 0,
      id: 'c',
      type: 'function',
      function: { name: 'f', arguments: '' },
      extra_content: { a: 1 },
    });
  });
});
