import { EventStream } from '../../core/record/event-stream';
import type { ProcessEvent } from '../../core/record/process-event';
import { DONE, newState, openStore, ORIGIN } from './store';

const textOf = (events: ProcessEvent[]) => events.map((event) => ('text' in event ? event.text : '')).join('');

// The reader stops after each of the first events until the process has ended, so that the rest comes from the record.
test.each(Array.from({ length: 12 }, (_, index) => index))(
  'a reader that was too slow after %i events gets the rest from the record, without loss or repetition',
  async (fast) => {
    const stream = new EventStream({ events: 4, characters: 1e6 });
    const { store } = openStore(newState(), { stream });
    const record = store.create(ORIGIN);
    const read: ProcessEvent[] = [];
    const events = store.follow(record)[Symbol.asyncIterator]();
    const take = async () => {
      const { value, done } = await events.next();
      if (!done) read.push(value);
      return !done;
    };
    const bodies = [
      { type: 'running' },
      ...['one ', 'two ', 'three '].map((text) => ({ type: 'text', step: 1, text })),
      ...['why ', 'not '].map((text) => ({ type: 'reasoning', step: 1, text })),
      { type: 'notice', level: 'info', message: 'm' },
      ...['four ', 'five ', 'six ', 'seven ', 'eight '].map((text) => ({ type: 'text', step: 1, text })),
      DONE,
    ] as Parameters<typeof record.add>[0][];
    for (const [index, body] of bodies.entries()) {
      if (index < fast) await take();
      record.add(body);
    }
    while (await take());
    expect(textOf(read)).toBe('one two three why not four five six seven eight ');
    expect(read.filter(({ type }) => type !== 'text' && type !== 'reasoning').map(({ type }) => type)).toEqual([
      ...['created', 'running', 'notice', 'exit'],
    ]);
    expect(read.map(({ seq }) => seq)).toEqual([...new Set(read.map(({ seq }) => seq))].sort((a, b) => a - b));
    await store.close();
  },
);

test('a reader may begin at any event, also when the process has ended', async () => {
  const { store } = openStore(newState(), {
    stream: new EventStream({ events: 2, characters: 9 }),
  });
  const record = store.create(ORIGIN);
  for (const text of ['a ', 'b ']) record.add({ type: 'text', step: 1, text });
  record.add(DONE);
  const late: string[] = [];
  for await (const event of store.follow(record, 1)) late.push('text' in event ? event.text : event.type);
  expect(late).toEqual(['a b ', 'exit']);
  await store.close();
});
