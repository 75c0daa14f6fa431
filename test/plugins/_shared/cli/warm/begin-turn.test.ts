import type { RunReader, Said } from '../../../../../plugins/_shared/cli/cli-run';
import { beginTurn, type TurnStart } from '../../../../../plugins/_shared/cli/warm/begin-turn';
import type { ChatEnd } from '../../../../../plugins/_shared/cli/warm/next-turns';
import { makeDriverError as error } from '../../../../../core/contract/driver-error';

/** A program, as far as a turn sees it. */
class Holder {
  isGone = false;
  readonly done: string[] = [];

  endTurn(): void {
    this.done.push('turn ended');
  }

  stop(): Promise<void> {
    this.done.push('stopped');
    return Promise.resolve();
  }
}

const reader: RunReader = {
  hasActed: false,
  read: (json) => ({ events: [], outcome: json === 'end' ? { type: 'answer', finish: 'stop' } : undefined }),
};
const exited = Promise.resolve({ code: 0, signal: null });
const end = () => ({ error: () => Promise.resolve(error('upstream', 'ended')), exited, stderr: '' });

let abort: AbortController;
let settled: ChatEnd<Holder>[];
beforeEach(() => {
  abort = new AbortController();
  settled = [];
});

function begin(holder: Holder, start: Partial<TurnStart<Holder>> = {}) {
  return beginTurn<Holder>(
    { error },
    { call: { signal: abort.signal }, name: 'claude' },
    {
      ...{ warm: 'hit', end, read: () => reader, open: () => Promise.resolve(holder), ask: () => Promise.resolve() },
      settle: (ended) => settled.push(ended),
      ...start,
    },
  );
}

test('a turn gives its lines, and at its end the answer and the program', async () => {
  const holder = new Holder();
  const ask: TurnStart<Holder>['ask'] = (_, turn) => {
    turn.push({ text: 'end', json: 'end' });
    return Promise.resolve();
  };
  const { running, reader: own, release, warm } = await begin(holder, { ask });
  const said: Said = { text: 'Hi', calls: [] };
  for await (const { json, text } of running!.jsonLines()) if ((said.outcome = own.read(json, text)?.outcome)) break;
  void release!(running, said);
  expect([warm, holder.done]).toEqual(['hit', ['turn ended']]);
  expect(settled).toMatchObject([{ holder, said: { text: 'Hi', outcome: { finish: 'stop' } } }]);
});

test('a program that does not take the chat is stopped, and nothing of the turn settles', async () => {
  const holder = new Holder();
  await expect(begin(holder, { ask: () => Promise.reject(new Error('it refused')) })).rejects.toThrow('it refused');
  expect([holder.done, settled]).toEqual([['stopped', 'stopped'], []]);
});

test('when the client leaves, a program that is still being made is stopped as soon as it is there', async () => {
  const holder = new Holder();
  let open = (): void => undefined;
  const opening = new Promise<Holder>((resolve) => (open = () => resolve(holder)));
  const beginning = begin(holder, { open: () => opening });
  abort.abort(new Error('left'));
  await expect(beginning).rejects.toMatchObject({ code: 'canceled' });
  expect(holder.done).toEqual([]);
  open();
  await opening;
  await new Promise(setImmediate);
  expect(holder.done).toContain('stopped');
});

test('when the client leaves a turn, its lines end with that, and its program is stopped', async () => {
  const holder = new Holder();
  const { running } = await begin(holder);
  const reading = (async () => {
    for await (const line of running!.jsonLines()) void line;
  })();
  abort.abort(new Error('left'));
  await expect(reading).rejects.toMatchObject({
    code: 'canceled',
    message: expect.stringContaining('claude') as string,
  });
  expect(holder.done).toEqual(['stopped']);
});
