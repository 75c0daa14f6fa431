import { keepDashes, nameBehind, wordsBehind } from '../../../core/cli/launch/words-behind';

const AIDER = { name: 'aider', title: 'aider' };

/** As the command gets them: Commander drops the first `--`. */
function wordsOf(...words: string[]): unknown {
  const kept = keepDashes(words);
  const at = kept.indexOf('--');
  const [first, ...others] = at < 0 ? kept : kept.toSpliced(at, 1);
  const [name, given] = nameBehind(first, others);
  return { name, words: wordsBehind(AIDER, given) };
}

test.each([[['aider']], [['aider', '--']], [['--', 'aider']]])('%j: no word is for the program', (words) => {
  expect(wordsOf(...words)).toEqual({ name: 'aider', words: [] });
});

test('words behind the dashes are for the program, also where its name stands there', () => {
  expect(wordsOf('aider', '--', '--yes', '--', 'x')).toEqual({ name: 'aider', words: ['--yes', '--', 'x'] });
  expect(wordsOf('--', 'aider', '--yes', '--', 'x')).toEqual({ name: 'aider', words: ['--yes', '--', 'x'] });
});

test('dashes alone name no program', () => {
  expect(wordsOf('--')).toEqual({ name: undefined, words: [] });
});

test('a text of several words cannot be a provider: it goes to the program without dashes', () => {
  expect(wordsBehind(AIDER, ['Make a file', '--', '--yes'])).toEqual(['Make a file', '--yes']);
});
