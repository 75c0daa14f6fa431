import type { ChatEvent } from 'drivebay/plugin';
import { makeDriverError } from '../../../../core/contract/driver-error';
import { CompletionReader } from '../../../../plugins/_shared/chat-completions/completion-reader';
import {
  completion,
  CUT,
  delta,
  DONE,
  finish,
  json,
  sse,
  STALL,
  usageChunk,
  type Piece,
} from '../../../setup/upstream';
import { failureOf } from '../../../http/open-pool';
import { startChatCompat } from '../../chat-compat/harness';
import { chatRequest, newCall, useDriver } from '../../harness';

const harness = useDriver(startChatCompat);

function stream(pieces: Piece[]): Promise<ChatEvent[]> {
  harness().upstream.answer(sse(pieces));
  return harness().chat({ stream: true });
}

const meta = { type: 'meta', model: 'up-model' };
const stop = { type: 'finish', reason: 'stop' };
const text = (content: string): object => ({ type: 'text', text: content });

describe('a stream', () => {
  test('that comes as one JSON object is read as such', async () => {
    harness().upstream.answer(json(completion('whole')));
    expect(await harness().chat({ stream: true })).toContainEqual(text('whole'));
  });

  test('passes fields on that it does not know, those of the answer only when they change', async () => {
    const fields = { system_fingerprint: 'fp', x: { a: 1 }, obfuscation: 'abc', service_tier: null };
    const first = delta({ content: 'a', refusal: null, reasoning_details: [{ t: 1 }] }, fields);
    const events = await stream([
      first,
      delta('b', { ...fields, obfuscation: 'de' }),
      delta('c', { x: { a: 2 } }),
      DONE,
    ]);
    expect(harness().bodies()[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(events).toEqual([
      meta,
      { type: 'extra', response: { system_fingerprint: 'fp', x: { a: 1 } } },
      { type: 'extra', delta: { reasoning_details: [{ t: 1 }] } },
      text('a'),
      text('b'),
      { type: 'extra', response: { x: { a: 2 } } },
      text('c'),
      stop,
    ]);
  });

  test('keeps reasoning apart and takes it once when it comes under both names', async () => {
    const events = await stream([
      delta({ reasoning_content: 'a' }),
      delta({ reasoning: 'b' }),
      delta({ reasoning: 'c', reasoning_content: 'c', content: null }),
      delta('x'),
      DONE,
    ]);
    expect(events.filter((event) => event.type === 'reasoning').map((event) => event.text)).toEqual(['a', 'b', 'c']);
  });

  test('with tool calls finishes with tool_calls whatever the server says', async () => {
    const events = await stream([
      delta({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
      finish('stop'),
      DONE,
    ]);
    expect(events).toEqual([
      meta,
      { type: 'tool_call', index: 0, id: 'c1', name: 'f', arguments: '' },
      { type: 'tool_call', index: 0, arguments: '{}' },
      { type: 'finish', reason: 'tool_calls' },
    ]);
  });

  test.each<[string, Piece[]]>([
    ['[DONE] without a finish reason', [delta('x'), DONE]],
    ['a finish reason without [DONE]', [delta('x'), finish()]],
    ['a finish reason and a cut connection', [delta('x'), finish(), CUT]],
    [
      'absent and empty deltas',
      [{ choices: [{ index: 0 }] }, { choices: [{ delta: null }] }, delta('x'), finish(), DONE],
    ],
    ['empty finish reasons', [{ choices: [{ delta: { content: 'x' }, finish_reason: '' }] }, finish(), DONE]],
    ['an index that is none', [{ choices: [{ index: -1, delta: { content: 'x' } }] }, finish(), DONE]],
    ['empty data', ['data:\n\n', delta('x'), finish(), DONE]],
    [
      'a message in place of deltas',
      [{ choices: [{ index: 0, message: { content: 'x' }, finish_reason: 'stop' }] }, DONE],
    ],
    [
      'the whole message again at its end',
      [delta('x'), { choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] }, DONE],
    ],
  ])('ends well with %s', async (_, pieces) => {
    const events = await stream(pieces);
    expect(events.filter((event) => event.type === 'text')).toEqual([text('x')]);
    expect(events.at(-1)).toEqual(stop);
  });

  test('that its server never ends is complete after the finish and a pause', async () => {
    expect((await stream([delta('x'), finish(), STALL])).at(-1)).toEqual(stop);
    await harness().upstream.clientClosed();
  });

  test('waits for usage after its finish, and for nothing after the usage', () => {
    const reader = new CompletionReader(1, makeDriverError);
    const states = [delta('x'), finish(), usageChunk(1, 1)].map((piece) => {
      reader.read(piece as Record<string, unknown>, []);
      return [reader.patienceMs, reader.isComplete];
    });
    expect(states).toEqual([
      [undefined, false],
      [1_000, false],
      [1_000, true],
    ]);
  });

  test('takes the last usage when every chunk counts', async () => {
    const counted = { prompt_tokens: 1, completion_tokens: 1 };
    const events = await stream([
      delta('x', { usage: counted }),
      finish('stop', { usage: { ...counted, completion_tokens: 2 } }),
      DONE,
    ]);
    expect(events.slice(-2)).toEqual([{ type: 'usage', inputTokens: 1, outputTokens: 2 }, stop]);
    // The first one comes at once, for callers that leave.
    expect(events.filter(({ type }) => type === 'usage')).toHaveLength(2);
    expect(events.slice(0, 3)).toEqual([meta, text('x'), { type: 'usage', inputTokens: 1, outputTokens: 1 }]);
  });

  test('of several choices ends when all have ended', async () => {
    const piece = (index: number, finishReason: string | null, content?: string): object => ({
      choices: [{ index, delta: { content }, finish_reason: finishReason }],
    });
    harness().upstream.answer(
      sse([piece(0, null, 'a'), piece(0, 'stop'), piece(1, null, 'b'), piece(1, 'length'), DONE]),
    );
    expect(await harness().chat({ stream: true, choices: 2 })).toEqual([
      text('a'),
      { ...text('b'), choice: 1 },
      stop,
      { type: 'finish', reason: 'length', choice: 1 },
    ]);
  });

  test('leaves its connection to the next request', async () => {
    await stream([delta('x'), finish(), usageChunk(1, 1), DONE]);
    await harness().upstream.until(() => harness().upstream.openStreams === 0);
    // The client reads the end in one of the next turns.
    for (let n = 0; n < 20; n += 1) await new Promise(setImmediate);
    await harness().chat({ stream: true });
    expect(harness().upstream.connections).toBe(1);
  });
});

describe('a stream that fails', () => {
  test.each<[string, Piece[], string, string]>([
    ['by an error object', [delta('x'), { error: { message: 'boom' } }, DONE], 'upstream', 'upstream'],
    ['by an error event', [delta('x'), 'event: error\ndata: {"message":"boom"}\n\n'], 'upstream', 'upstream'],
    ['by an error field', ['error: {"code":500,"message":"boom"}\n\n'], 'upstream', 'upstream'],
    ['by an error beside choices', [{ choices: [], error: { message: 'boom', code: 502 } }], 'upstream', 'upstream'],
    ['by a rate limit', [{ error: { message: 'x', code: 429 } }], 'rate_limited', 'rate_limited'],
    [
      'by a rate limit in words',
      [{ error: { message: 'x', type: 'rate_limit_error' } }],
      'rate_limited',
      'rate_limited',
    ],
    ['by garbage', [delta('x'), 'data: {"half\n\n'], 'protocol', 'protocol'],
    ['by a piece that is no object', ['data: 7\n\n'], 'protocol', 'protocol'],
    ['by ending early', [delta('x')], 'protocol', 'truncated'],
    ['by being empty', [''], 'protocol', 'truncated'],
    ['by a reason that says so', [delta('x'), finish('error'), DONE], 'upstream', 'upstream'],
    ['by an unknown reason without content', [finish('whatever'), DONE], 'upstream', 'upstream'],
  ])('%s', async (_, pieces, code, kind) => {
    expect(await failureOf(stream(pieces))).toMatchObject({ code, kind });
  });

  test('gives what came before', async () => {
    harness().upstream.answer(sse([delta('x'), CUT]));
    const seen: ChatEvent[] = [];
    const run = (async () => {
      for await (const event of harness().driver.chat(chatRequest({ stream: true }), newCall())) seen.push(event);
    })();
    expect((await failureOf(run)).kind).toBe('truncated');
    expect(seen).toEqual([meta, text('x')]);
  });
});
