import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline/promises';
import { MessageReader } from '../../../core/cli/chat/message-reader';

/** A reader of a terminal, and what types there. */
function open() {
  const keys = new PassThrough();
  const screen = new PassThrough();
  const lines = createInterface({ input: keys, output: screen, terminal: true });
  const reader = new MessageReader(lines, { keys, screen });
  const messages = reader[Symbol.asyncIterator]();
  const next = async () => (await messages.next()).value as string | undefined;
  return { keys, screen, lines, reader, next };
}

test('a pasted text is one message with its line breaks, and a backslash in it is its own', async () => {
  const { keys, next, lines } = open();
  keys.write('\x1b[200~if x:\\\r\tgo\n\nend\x1b[201~ # mine\r');
  expect(await next()).toBe('if x:\\\n\tgo\n\nend # mine');
  keys.write('after\r');
  expect(await next()).toBe('after');
  lines.close();
  expect(await next()).toBeUndefined();
});

test('lines that come while nobody waits are not lost, and the last one needs no end', async () => {
  const { keys, next, lines } = open();
  keys.write('one\rtwo \\\rtwo\rthree \\\r');
  await new Promise((resolve) => setImmediate(resolve));
  lines.close();
  expect([await next(), await next(), await next(), await next()]).toEqual(['one', 'two \ntwo', 'three ', undefined]);
});

test('what is dropped is not sent', async () => {
  const { keys, next, reader, lines } = open();
  keys.write('one \\\r');
  await new Promise((resolve) => setImmediate(resolve));
  expect(reader.isInside).toBe(true);
  reader.drop();
  keys.write('two\r');
  expect(await next()).toBe('two');
  lines.close();
});

test('the terminal marks pastes as long as the chat reads', () => {
  const { screen, lines } = open();
  expect(String(screen.read())).toBe('\x1b[?2004h');
  lines.close();
  expect(String(screen.read())).toBe('\x1b[?2004l');
});
