import { ParsedBody } from '../../core/http/parsed-body';
import { SseParser } from '../../core/http/sse';
import { turnsUntil } from '../setup/turns-until';

const SILENT = [Buffer.from(': still here\n\n')];
const END = { done: true, value: undefined };

/** A body that keeps its reader waiting after `silent` batches that complete nothing. */
function waitingBody(silent: number) {
  let give!: (batch: Uint8Array[] | undefined) => void;
  let isAsked!: () => void;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const take = () => {
    if (silent-- > 0) return Promise.resolve(SILENT);
    isAsked();
    return new Promise<Uint8Array[] | undefined>((resolve) => (give = resolve));
  };
  const body = new ParsedBody({ take, release: () => give(undefined) }, new SseParser());
  return { body, asked, give: (text: string) => give([Buffer.from(text)]) };
}

// A chain of promises, one for each batch, would stay in memory meanwhile, and be let go link by link.
test('batches that complete no item leave nothing behind', async () => {
  const { body, asked, give } = waitingBody(1_000);
  const next = body.next();
  await asked;
  give('data: there\n\n');
  const { turns, value } = await turnsUntil(next);
  expect(value).toEqual({ done: false, value: 'there' });
  expect(turns).toBeLessThan(10);
});

test.each([0, 1])('a reader that leaves while it waits gets the end, after %i batches, too', async (silent) => {
  const { body, asked } = waitingBody(silent);
  const pending = body.next();
  await asked;
  await expect(body.return()).resolves.toEqual(END);
  await expect(pending).resolves.toEqual(END);
  await expect(body.next()).resolves.toEqual(END);
});
