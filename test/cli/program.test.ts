import type { Command } from 'commander';
import { buildProgram } from '../../core/cli/program';
import { productVersion } from '../../core/package';
import { runCli } from '../setup/run-cli';
import { tempHome } from '../setup/temp-home';

const home = tempHome();
const run = (...words: string[]) => runCli(words, { env: home.environment() });

/** Every command with the words that lead to it. */
function walk(command: Command, words: string[] = []): { command: Command; words: string[] }[] {
  return [{ command, words }, ...command.commands.flatMap((child) => walk(child, [...words, child.name()]))];
}

const commands = walk(buildProgram());

const MODEL_FLAGS = ['--model', '--small-model'];

test('every flag for a model refuses a key, which would be sent to a backend and kept in records', () => {
  const flags = commands.flatMap(({ command, words }) =>
    command.options
      .filter(({ long }) => MODEL_FLAGS.includes(long!))
      .map(({ long, parseArg }) => [[...words, long].join(' '), parseArg] as const),
  );
  expect(flags.length).toBeGreaterThan(6);
  for (const [name, parse] of flags) {
    expect([name, parse]).toEqual([name, expect.any(Function)]);
    expect(() => parse!('sk-proj-0123456789abcdef', undefined)).toThrow(/its value \(not shown\) looks like a key/);
  }
});

describe('every command explains itself on stdout with --help', () => {
  // The real program for the groups and one leaf, the same code in-process for the others.
  test.each(commands.map(({ command, words }) => [words.join(' ') || 'drivebay', command] as const))(
    '%s',
    (_, command) => {
      const text = command.helpInformation();
      expect(text).toMatch(/^Usage: drivebay/);
      expect(text).toContain('-h, --help');
      expect(command.description()).not.toBe('');
      for (const option of command.options.filter(({ hidden }) => !hidden)) {
        expect(text).toContain(option.long);
        expect([option.long, option.description]).not.toEqual([option.long, '']);
      }
      // Hidden ones, whose names begin with `__`, are there for scripts.
      const shown = command.commands.filter((child) => !child.name().startsWith('__'));
      for (const child of shown) expect(text).toContain(`  ${child.name()}`);
    },
  );

  test('as a program, with nothing on stderr and exit code 0', async () => {
    for (const words of [['--help'], ['providers', '--help'], ['providers', 'status', '-h']]) {
      const result = await run(...words);
      expect(result).toMatchObject({ code: 0, stderr: '' });
      expect(result.stdout).toContain(`Usage: ${['drivebay', ...words.slice(0, -1)].join(' ')}`);
    }
  });
});

test('--version prints the version of the package and nothing else', async () => {
  for (const flag of ['--version', '-v'])
    expect(await run(flag)).toEqual({ code: 0, stdout: `${productVersion}\n`, stderr: '' });
});

test('without a command, and with half of one, the help goes to stderr and the exit code is 2', async () => {
  for (const result of await Promise.all([run(), run('providers')])) {
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain('Usage: drivebay');
  }
});

const namesOf = (first?: string) => buildProgram(first).commands.map((command) => command.name());

test('a command line is read with the commands of one group, and each command is in the group it names', () => {
  const all = namesOf();
  // These two speak of every command.
  for (const name of all.filter((each) => each !== '__complete' && each !== 'man')) {
    const group = namesOf(name);
    expect(group).toContain(name);
    expect(group.length).toBeLessThan(all.length / 2);
  }
});

test('a word that is no command is read with all of them', () => {
  const all = namesOf();
  // `__complete` is asked about all of them.
  for (const first of ['--help', 'help', 'explain this', 'serv', '', '__complete']) expect(namesOf(first)).toEqual(all);
});
