import { buildProgram } from '../../core/cli/program';
import { routeWords } from '../../core/cli/route-words';

const route = (...words: string[]) => routeWords(words, buildProgram());

test.each([['ps'], ['daemon', 'status'], ['--version'], ['--help'], ['run', 'serve'], []])(
  '%s %s stays a command',
  (...words: string[]) => expect(route(...words)).toEqual({ words, isIntent: false }),
);

test.each([
  ['a word that is like no command', ['hello']],
  ['a sentence that begins like a command', ['serve the tea']],
  ['several words', ['serv', 'the', 'tea']],
  ['a near miss with a flag', ['serv', '--json']],
  ['a flag first', ['--provider', 'x', 'look']],
  ['a flag with the name of a command for its value', ['--provider', 'ps', 'look']],
  ['the name of a command among other words', ['--json', 'ps', 'it']],
  ['the name of a command after --', ['--json', '--', 'ps']],
  ['a sentence that begins with help', ['help', 'run', 'it']],
])('%s is an intent', (_, words) => expect(route(...words)).toEqual({ words: ['run', ...words], isIntent: true }));

test.each([
  ['serv', /Did you mean serve\? To send the word to a model: drivebay run serv/],
  ['Deamon', /Did you mean daemon\?/],
  ['status', /Did you mean service status, providers status, or daemon status\?/],
])('%s alone is a mistake', (word, hint) => {
  const message = `unknown command '${word}'`;
  const expected = { code: 'usage', message, hint: expect.stringMatching(hint) as string };
  expect(() => route(word)).toThrow(expect.objectContaining(expected));
});

test.each([
  [['--json', 'ps'], 'drivebay ps --json', 'drivebay run --json ps'],
  [['--json', 'ps', '-a'], 'drivebay ps --json -a', 'drivebay run --json -a ps'],
  [['--provider', 'x', 'devices'], 'drivebay devices --provider x', 'drivebay run --provider x devices'],
])('%j is a mistake, not an intent', (words, meant, run) => {
  expect(() => route(...words)).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: `flags come after the command: ${meant}`,
      hint: `To send the word to a model: ${run}`,
    }),
  );
});

test.each([
  ['help run', 'run --help'],
  ['help daemon start', 'daemon start --help'],
])('%s asks for the help of a command', (words, routed) =>
  expect(route(...words.split(' '))).toEqual({ words: routed.split(' '), isIntent: false }),
);

test('help alone asks for help', () => expect(route('help').words).toEqual(['--help']));
