import type { ChatEvent, HttpResponse } from '../../../../core/contract/api';
import { DriverError } from '../../../../core/contract/driver-error';
import { AnswerEvents } from '../../../../plugins/_shared/http/answer-events';
import type { AnswerReader } from '../../../../plugins/_shared/http/answer-reader';
import { turnsUntil } from '../../../setup/turns-until';

const END = { done: true, value: undefined };

/** Says the text of each piece that has one. */
class TextReader implements AnswerReader {
  isComplete = false;
  patienceMs: number | undefined;

  read({ text, end }: Record<string, unknown>, events: ChatEvent[]): void {
    if (typeof text === 'string') events.push({ type: 'text', text });
    if (end === true) this.patienceMs = 60_000;
  }

  conclude(events: ChatEvent[]): void {
    this.isComplete = true;
    events.push({ type: 'finish', reason: 'stop' });
  }

  readWhole(): void {}
}

/** The answer whose stream has these pieces first, and then waits for what the test gives. */
function waitingAnswer(pieces: string[]) {
  let give!: (result: IteratorResult<string> | Promise<never>) => void;
  let isAsked!: () => void;
  let isLeft = false;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const stream: AsyncIterableIterator<string> = {
    [Symbol.asyncIterator]: () => stream,
    next() {
      const value = pieces.shift();
      if (value !== undefined) return Promise.resolve({ done: false, value });
      isAsked();
      return new Promise((resolve) => (give = resolve));
    },
    return() {
      isLeft = true;
      give?.({ done: true, value: undefined });
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  const response = { events: () => stream, discard: () => (isLeft = true) } as unknown as HttpResponse;
  const answer = {
    names: undefined,
    ignored: [],
    response,
    reader: new TextReader(),
    isStreamed: true,
    isNative: false,
  };
  const explain = (error: unknown) => new Error(`explained: ${(error as Error).message}`);
  const events = new AnswerEvents(Promise.resolve(answer), (code, message) => new DriverError(code, message), explain);
  return { events, asked, give: (result: Parameters<typeof give>[0]) => give(result), left: () => isLeft };
}

const EMPTY = '{}';

// A chain of promises, one for each piece, would stay in memory meanwhile, and be let go link by link.
test('pieces that say nothing leave nothing behind', async () => {
  const { events, asked, give } = waitingAnswer(Array.from({ length: 1_000 }, () => EMPTY));
  const next = events.next();
  await asked;
  give({ done: false, value: '{"text":"there"}' });
  const { turns, value } = await turnsUntil(next);
  expect(value).toEqual({ done: false, value: { type: 'text', text: 'there' } });
  expect(turns).toBeLessThan(20);
});

test.each([
  ['at once', []],
  ['after a piece that says nothing', [EMPTY]],
  ['after the finish', ['{"end":true}']],
])('a reader that leaves while it waits %s gets the end, and the connection is let go', async (_, pieces) => {
  const { events, asked, left } = waitingAnswer(pieces);
  const pending = events.next();
  await asked;
  await expect(events.return()).resolves.toEqual(END);
  expect(left()).toBe(true);
  await expect(pending).resolves.toEqual(END);
  await expect(events.next()).resolves.toEqual(END);
});

test.each([
  ['at once', []],
  ['after a piece that says nothing', [EMPTY]],
])('a failure of the connection %s is explained, and ends the answer', async (_, pieces) => {
  const { events, asked, give, left } = waitingAnswer(pieces);
  const pending = events.next();
  await asked;
  give(Promise.reject(new Error('cut')));
  await expect(pending).rejects.toThrow('explained: cut');
  expect(left()).toBe(true);
  await expect(events.next()).resolves.toEqual(END);
});

test.each([
  ['at once', ['nonsense']],
  ['after a piece that says nothing', [EMPTY, 'nonsense']],
])('a piece that is not JSON, %s, is explained, and the connection is let go', async (_, pieces) => {
  const { events, left } = waitingAnswer(pieces);
  await expect(events.next()).rejects.toThrow('explained: a piece of the stream is not JSON: nonsense');
  expect(left()).toBe(true);
});
