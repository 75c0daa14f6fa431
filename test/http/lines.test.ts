import type { HttpPool } from '../../core/http/http-pool';
import type { HttpResponse } from '../../core/contract/api';
import { CUT, raw, STALL, Upstream, type Answer } from '../setup/upstream';
import { failureOf, openPool } from './open-pool';

let upstream: Upstream;
let pool: HttpPool;
let abort: AbortController;

beforeEach(async () => {
  upstream = await Upstream.start();
  pool = openPool();
  abort = new AbortController();
});

afterEach(async () => {
  await pool.close();
  await upstream.close();
});

function ask(answer: Answer): Promise<HttpResponse> {
  upstream.answer(answer);
  return pool.request(upstream.url, { signal: abort.signal, body: '{}' });
}

async function take<Item>(items: AsyncIterable<Item>, seen: Item[] = []): Promise<Item[]> {
  for await (const item of items) seen.push(item);
  return seen;
}

describe('lines', () => {
  const linesOf = async (answer: Answer) => take((await ask(answer)).lines());

  test.each([undefined, 1, 3])(
    'come out whole from writes of %p bytes, the last one without an end, too',
    async (split) => {
      const answer = raw(['\uFEFFé\r\n\n😀\u2028\nlast'], split === undefined ? {} : { split });
      expect(await linesOf(answer)).toEqual(['é', '', '😀\u2028', 'last']);
    },
  );

  test('that are too long are a protocol error and close the connection', async () => {
    const pieces = Array.from({ length: 17 }, () => 'x'.repeat(1024 * 1024));
    expect(await failureOf(linesOf(raw([...pieces, STALL])))).toMatchObject({
      code: 'protocol',
      kind: 'line_too_long',
    });
    await upstream.clientClosed();
  });
});

describe('lines of JSON', () => {
  const read = async (pieces: Answer['pieces'], seen?: unknown[]) => take((await ask(raw(pieces))).jsonLines(), seen);

  test('arrive as values while the body is open', async () => {
    const values = (await ask(raw(['{"a":', '1}\n[2]\n', STALL]))).jsonLines()[Symbol.asyncIterator]();
    expect(await values.next()).toEqual({ done: false, value: { a: 1 } });
    expect(await values.next()).toEqual({ done: false, value: [2] });
  });

  test('may have blank lines between them, and no end after the last', async () => {
    expect(await read(['\n1\r\n \r\n\nnull\n"last"'])).toEqual([1, null, 'last']);
  });

  test('that are something else are a protocol error with their beginning, after the values before', async () => {
    const seen: unknown[] = [];
    const failure = await failureOf(read([`1\n<html> ${'x'.repeat(500)}\n2\n`, STALL], seen));
    expect(failure).toMatchObject({ code: 'protocol', status: 200 });
    expect(failure.message).toMatch(/sent a line that is not JSON: <html> x{193}$/);
    expect(seen).toEqual([1]);
    await upstream.clientClosed();
  });

  test('before a cut are delivered, then it is told', async () => {
    const seen: unknown[] = [];
    expect(await failureOf(read(['1\n{"half', CUT], seen))).toMatchObject({ code: 'protocol', kind: 'truncated' });
    expect(seen).toEqual([1]);
  });

  test('can be left before nonsense, and while a read is pending', async () => {
    for await (const value of (await ask(raw(['1\nnonsense\n', STALL]))).jsonLines()) {
      expect(value).toBe(1);
      break;
    }
    await upstream.clientClosed();
    const values = (await ask(raw(['\n', STALL]))).jsonLines()[Symbol.asyncIterator]();
    const pending = values.next();
    await values.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
  });
});
