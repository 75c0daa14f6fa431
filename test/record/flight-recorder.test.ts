import { FlightRecorder } from '../../core/record/flight-recorder';
import { viewExchange } from '../../core/record/exchange-view';

const head = (id: string) => ({
  ...{ id, kind: 'chat', dialect: 'chat-completions', path: '/v1/chat/completions' },
  ...{ client: undefined, agent: undefined, arrivedAt: Date.now(), startedMs: performance.now() },
});
const text = (value: string) => ({ type: 'text' as const, text: value });
const ids = (recorder: FlightRecorder) => recorder.last(9).map(({ head: { id } }) => id);

test('the oldest exchange makes way for a new one, and is forgotten', () => {
  const recorder = new FlightRecorder({ exchanges: 2, bytes: 1000 });
  const first = recorder.begin(head('a'));
  first.noteBody(Buffer.alloc(100), 0);
  for (const id of ['b', 'c']) recorder.begin(head(id));
  expect(ids(recorder)).toEqual(['b', 'c']);
  expect(recorder.find('a')).toBeUndefined();
  expect(first.content).toBeUndefined();
});

test('prompts and answers over the bound are dropped from the oldest on, and what else is known stays', () => {
  const recorder = new FlightRecorder({ exchanges: 9, bytes: 1000 });
  const [a, b, c] = [recorder.begin(head('a')), recorder.begin(head('b')), recorder.begin(head('c'))];
  for (const each of [a, b]) each.noteBody(Buffer.alloc(400), 0);
  c.open('p');
  c.take(text('x'.repeat(200)));
  expect([a, b, c].map(({ content }) => content !== undefined)).toEqual([false, true, true]);
  expect(viewExchange(a, true)).toMatchObject({ id: 'a', requestBytes: 400, contentGone: true });
});

test('what an exchange gives back is there for others', () => {
  const recorder = new FlightRecorder({ exchanges: 1, bytes: 1000 });
  for (let n = 0; n < 5; n += 1) recorder.begin(head(String(n))).noteBody(Buffer.alloc(900), 0);
  expect(recorder.find('4')!.content!.body).toHaveLength(900);
});

test('a request that alone is larger than its share drives out no other one', () => {
  const recorder = new FlightRecorder();
  const small = recorder.begin(head('small'));
  small.noteBody(Buffer.alloc(10), 0);
  const large = recorder.begin(head('large'));
  large.noteBody(Buffer.alloc(5 * 1024 * 1024), 0);
  large.open('p');
  large.take(text('more'));
  expect(large.content).toBeUndefined();
  expect(small.content!.body).toHaveLength(10);
});

test('an answer is that of the target that gave it, and a target that was passed over has its reason', () => {
  const exchange = new FlightRecorder().begin(head('a'));
  const from = exchange.head.startedMs;
  exchange.skip('blind', 'no_images', 'takes no images');
  const dead = exchange.open('dead', 'one');
  dead.model = 'm-1';
  exchange.take(text('half'));
  dead.fail({ kind: 'timeout', message: 'too late' });
  const alive = exchange.open('alive', 'two');
  Object.assign(alive, { model: 'm-2', queuedAt: from + 1, askedAt: from + 2, endedAt: from + 4.04 });
  exchange.noteFirst(from + 3);
  for (const event of [text('whole '), text('answer'), { type: 'finish' as const, reason: 'stop' as const }])
    exchange.take(event);
  const view = viewExchange(exchange, true);
  expect(view.content!.answer).toEqual({ text: 'whole answer', finish: 'stop', pieces: 2 });
  expect(view.attempts).toMatchObject([
    { provider: 'blind', failure: 'no_images' },
    { provider: 'dead', driver: 'one', model: 'm-1', failure: 'timeout', message: 'too late' },
    { provider: 'alive', driver: 'two', model: 'm-2', queuedMs: 1, askedMs: 2, firstMs: 3, endedMs: 4 },
  ]);
});
