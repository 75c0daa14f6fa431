import { Carriers } from '../../../../core/gateway/carriers';
import type { AnswerOrder } from '../../../../core/gateway/dialects/responses/parse-request';
import { parseRequest } from '../../../../core/gateway/dialects/responses/parse-request';
import { ResponseStore } from '../../../../core/gateway/dialects/responses/response-store';
import { ResponseStream } from '../../../../core/gateway/dialects/responses/response-stream';
import { events } from '../../wire';

const carriers = new Carriers(() => Buffer.alloc(32));

function order(): AnswerOrder {
  const body = Buffer.from(JSON.stringify({ model: 'm', input: 'Hi', stream: true }));
  return parseRequest(body, {}, carriers, new ResponseStore().of()).order;
}

/** The types of the events, with their numbers. */
function told(...frames: string[]): string[] {
  return events(frames.join('').replace(/^event: .*\n/gm, '')).map(
    ({ type, sequence_number: number }) => `${number} ${type}`,
  );
}

test('before the first item a silence is broken by the beginning, then by its state; later by a frame of no effect', () => {
  const stream = new ResponseStream(order(), false);
  const frames = [
    stream.keepAlive(),
    stream.keepAlive(),
    stream.frames({ type: 'text', text: 'Hi' }),
    stream.keepAlive(),
  ];
  expect(told(...frames)).toEqual([
    '0 response.created',
    '1 response.in_progress',
    '2 response.in_progress',
    '3 response.output_item.added',
    '4 response.content_part.added',
    '5 response.output_text.delta',
    '6 keepalive',
  ]);
});

test('a backend of the same wire that begins after that does not begin again', () => {
  const stream = new ResponseStream(order(), false);
  const native = (type: string, number: number) => {
    return stream.frames({ type: 'native', value: { type, sequence_number: number, response: { id: 'resp_up' } } });
  };
  const frames = [stream.keepAlive(), native('response.created', 0), native('response.in_progress', 1)];
  expect(told(...frames)).toEqual(['0 response.created', '1 response.in_progress']);
  expect(told(native('response.output_text.delta', 5), stream.keepAlive())).toEqual([
    '5 response.output_text.delta',
    '5 keepalive',
  ]);
});

test('its numbers go on from those of the beginning, and its response has the same id', () => {
  const stream = new ResponseStream(order(), false);
  const native = (type: string, number: number, more = {}) =>
    stream.frames({ type: 'native', value: { type, sequence_number: number, ...more } });
  const frames = [
    stream.keepAlive(),
    stream.keepAlive(),
    stream.keepAlive(),
    native('response.created', 0, { response: { id: 'resp_up' } }),
    native('response.output_item.added', 2),
    native('response.completed', 3, { response: { id: 'resp_up' } }),
  ];
  expect(told(...frames).slice(-3)).toEqual([
    '3 response.in_progress',
    '4 response.output_item.added',
    '5 response.completed',
  ]);
  const found = events(frames.join('').replace(/^event: .*\n/gm, ''));
  expect(found.at(-1)!.response.id).toBe(found[0]!.response.id);
});
