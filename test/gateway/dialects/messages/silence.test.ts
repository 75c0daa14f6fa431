import type { ChatEvent } from '../../../../core/contract/api';
import { MessageStream } from '../../../../core/gateway/dialects/messages/message-stream';
import { gatewayError } from '../../../../core/gateway/to-http-error';
import { framesOf, shortForm } from './message-wire';

const HEAD = { id: 'msg_1', model: 'm' };
/** What is sent in five silences behind these events, in short. */
function silencesAfter(...events: ChatEvent[]): string {
  const form = new MessageStream(HEAD);
  for (const event of events) form.frames(event);
  const sent = Array.from({ length: 5 }, () => form.keepAlive()).join('');
  const words = framesOf(sent).map(({ event, data }) =>
    data.delta ? `${event} ${JSON.stringify(data.delta)}` : event,
  );
  return words.join(' ');
}

const STILL_HERE = 'message_delta {"stop_reason":null,"stop_sequence":null}';

test.each<[string, ChatEvent[], string]>([
  ['before anything', [], `message_start ping ping ping ${STILL_HERE} ping ping`],
  [
    'in a text',
    [{ type: 'text', text: 'Hi' }],
    'ping ping ping content_block_delta {"type":"text_delta","text":""} ping ping',
  ],
  [
    'in reasoning',
    [{ type: 'reasoning', text: 'Hm' }],
    'ping ping ping content_block_delta {"type":"thinking_delta","thinking":""} ping ping',
  ],
  [
    'in an answer of the same wire',
    [
      { type: 'native', value: { type: 'message_start' } },
      { type: 'native', value: { type: 'content_block_start', index: 3, content_block: { type: 'text' } } },
    ],
    'ping ping ping ping content_block_delta {"type":"text_delta","text":""} ping',
  ],
  [
    'between its blocks',
    [{ type: 'native', value: { type: 'message_start' } }],
    `ping ping ping ping ${STILL_HERE} ping`,
  ],
])('a silence %s is broken by pings, and every fourth time by what programs count', (_name, events, expected) => {
  expect(silencesAfter(...events)).toBe(expected);
});

test('a beginning that was sent in a silence is not sent again by the backend', () => {
  const form = new MessageStream(HEAD);
  form.keepAlive();
  expect(form.frames({ type: 'native', value: { type: 'message_start', message: {} } })).toBe('');
  expect(form.frames({ type: 'native', value: { type: 'ping' } })).toBe('event: ping\ndata: {"type":"ping"}\n\n');
});

test('pings of the backend are silences, too: every fourth is followed by what programs count', () => {
  const form = new MessageStream(HEAD);
  const native = (value: Record<string, unknown>) => form.frames({ type: 'native', value });
  const pings = () => Array.from({ length: 5 }, () => native({ type: 'ping' })).join('');
  expect(pings()).toBe('');
  native({ type: 'message_start', message: {} });
  native({ type: 'content_block_start', index: 0, content_block: { type: 'text' } });
  expect(framesOf(pings()).map(({ event }) => event)).toEqual([
    ...['ping', 'ping', 'ping', 'ping', 'content_block_delta', 'ping'],
  ]);
});

test('the counts of such a beginning come with the end', () => {
  const form = new MessageStream(HEAD);
  form.keepAlive();
  const native = (value: Record<string, unknown>) => form.frames({ type: 'native', value });
  native({
    type: 'message_start',
    message: { usage: { input_tokens: 9, cache_read_input_tokens: 7, output_tokens: 1 } },
  });
  const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' } };
  const usageOf = (frames: string) => framesOf(frames)[0]!.data.usage as unknown;
  const later = { output_tokens: 5, input_tokens: null };
  expect(usageOf(native({ ...end, usage: later }))).toEqual({
    input_tokens: 9,
    cache_read_input_tokens: 7,
    output_tokens: 5,
  });
  expect(usageOf(native(end))).toMatchObject({ input_tokens: 9 });
});

test('an answer that fails in its first silence is final: its error stands behind a closed block', () => {
  const form = new MessageStream(HEAD);
  const sent = form.keepAlive() + form.fail(gatewayError('upstream_error', 'it broke'));
  expect(shortForm(sent)).toBe('start ping +0:text -0 error:api_error');
});
