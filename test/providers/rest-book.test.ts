import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocatedMap } from '../../core/config/located';
import { DriverError } from '../../core/contract/driver-error';
import { RestBook } from '../../core/providers/rest-book';
import { located } from '../config/helpers';
import { tempFolder } from '../setup/temp-folder';

const entry = (name: string) => ({ name, fields: located(`driver: ${name}`) as LocatedMap });
const failure = new DriverError('unreachable', 'nobody answers', { retryAfterS: 600 });
const isResting = (state: string, name: string) =>
  new RestBook(state, false).of(entry(name)).of(undefined) !== undefined;

test('two daemons of one state folder keep the rests that the other one has written', async () => {
  const state = tempFolder();
  const books = ['a', 'b'].map((name) => ({ name, book: new RestBook(state, true) }));
  for (const { name, book } of books) book.of(entry(name));
  for (const { name, book } of books) {
    book.of(entry(name)).noteFailure(failure, undefined, 0);
    await book.flush();
  }
  expect(books.map(({ name }) => isResting(state, name))).toEqual([true, true]);
});

test('half a file counts as none, and the next rest replaces it', async () => {
  const state = tempFolder();
  const file = join(state, 'rests.json');
  writeFileSync(file, '{"rests": {"a@');
  expect(isResting(state, 'a')).toBe(false);
  const book = new RestBook(state, true);
  book.of(entry('a')).noteFailure(failure, undefined, 0);
  await book.flush();
  expect(() => JSON.parse(readFileSync(file, 'utf8')) as unknown).not.toThrow();
  expect(isResting(state, 'a')).toBe(true);
});
