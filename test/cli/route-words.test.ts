import { COMMAND_WORDS } from '../../core/cli/command-words';
import { buildProgram } from '../../core/cli/program';
import { refuseProgram, routeWords } from '../../core/cli/route-words';

const program = buildProgram();
const route = (...words: string[]) => routeWords(words, program);

test.each([
  ['ps'],
  ['daemon', 'status'],
  ['--version'],
  ['-v'],
  ['--help'],
  ['run', 'serve'],
  ['run', 'stop', 'all'],
  [],
])('%s %s %s stays a command', (...words: string[]) =>
  expect(route(...words.filter(Boolean))).toEqual(words.filter(Boolean)),
);

test.each([
  ['a word that is like no command', ['hello']],
  ['a sentence that begins like a command', ['serve the tea']],
  ['a sentence that begins like a misspelt command', ['serv the tea']],
  ['several words', ['fix', 'the', 'bug']],
  ['several words, the first of which is close to a command', ['compare', 'these', 'files']],
  ['several words, the first of which ends commands', ['explain', 'this']],
  ['a flag first', ['--provider', 'x', 'look']],
  ['a flag with the name of a command for its value', ['--provider', 'ps', 'look']],
  ['the name of a command after --', ['--json', '--', 'ps']],
  ['a command word after --', ['--', 'stop', 'all']],
  ['a sentence that begins with help', ['help', 'run', 'it']],
  ['a sentence that begins with a word like help', ['heap', 'sort']],
  ['a task of two words', ['fix tests']],
  ['a task that begins with a word that is one alone', ['clean', 'up', 'the', 'imports']],
  ['a task that begins with a verb', ['delete', 'dead', 'code']],
  ['a task that begins with a thing', ['keys', 'of', 'maps']],
  ['a short word that is close to one of other tools', ['sing']],
  ['a task with a word that is a command', ['update docs']],
  ['a task that begins like a command', ['list providers and their prices']],
  ['the hash of a commit', ['review', '0123456789abcdef0123456789abcdef01234567']],
  ['a hash behind two words', ['review', 'commit', '0123456789abcdef'.repeat(4)]],
  ['a long name of code', ['explain', 'parseUtf8StringFromBuffer']],
  ['a long name with a digit', ['fix', 'OAuth2ClientCredentials']],
  ['a name of code that begins like a key', ['explain', 'sk_buff']],
  ['a key after --', ['--', 'use', 'sk-proj-0123456789abcdef']],
])('%s is an intent', (_, words) => expect(route(...words)).toEqual(['run', ...words]));

test.each([
  ['serv', 'Did you mean serve?'],
  ['Deamon', 'Did you mean daemon?'],
  ['proivders', 'Did you mean providers?'],
  ['serv tea', 'Did you mean serve?'],
  ['plugin new x --kind http', 'Did you mean plugins?'],
  ['serv --port 80', 'Did you mean serve?'],
  ['--provider x serv', 'Did you mean serve?'],
  ['status', 'Did you mean providers status, daemon status, or service status?'],
  ['statsu', 'Did you mean providers status, daemon status, or service status?'],
  ['--json stauts', 'Did you mean providers status, daemon status, or service status?'],
  ['hepl', 'Did you mean help?'],
  ['Help', 'Did you mean help?'],
  ['hepl serve', 'Did you mean help?'],
  ['unistall', 'Did you mean uninstall?'],
  ['explan', 'Did you mean providers explain?'],
  ['stop all', 'Did you mean daemon stop, kill, or compose down?'],
  ['Backends', 'Did you mean providers status?'],
  ['modles', 'Did you mean models?'],
  ['talk', 'Did you mean chat?'],
  ['resume', 'Did you mean run?'],
  ['login codex', 'Did you mean doctor?'],
  ['check config', 'Did you mean config check?'],
  ['list providers', 'Did you mean providers status?'],
  ['list plugins', 'Did you mean plugins list?'],
  ['stop daemon', 'Did you mean daemon stop?'],
  ['version', 'Did you mean --version?'],
  ['update', 'There is no such command.'],
  ['clean', 'There is no such command.'],
  ['quit', 'There is no such command.'],
  ['keys', 'Did you mean clients new or doctor?'],
  ['set-key openai', 'Did you mean clients new or doctor?'],
  ['routes', 'Did you mean models or config check?'],
  ['pull', 'Did you mean providers add or models?'],
  ['complete', 'Did you mean completion?'],
  ['completoin', 'Did you mean completion?'],
  ['set default', 'Did you mean providers set-default?'],
  ['Validate', 'Did you mean config check?'],
  ['delete', 'Did you mean clients remove, providers remove, or mcp remove?'],
  ['show models', 'Did you mean models?'],
  ['get usage', 'Did you mean usage?'],
  ['open dashboard', 'Did you mean dashboard?'],
  ['show provider', 'Did you mean providers status?'],
  ['new client', 'Did you mean clients new?'],
  ['mcp-serve', 'Did you mean mcp serve?'],
  ['providers-set-default x', 'Did you mean providers set-default?'],
  ['/help', 'Did you mean help?'],
])('%s is a mistake', (line, advice) => {
  const hint = `${advice} To send the words to a model: drivebay run ${line}`;
  const message = expect.stringMatching(/^unknown command '[\w/-]+'$/) as string;
  expect(() => route(...line.split(' '))).toThrow(expect.objectContaining({ code: 'usage', message, hint }));
});

test('a question mark asks for help', () => {
  const hint = "Did you mean --help? To send the words to a model: drivebay run '?'";
  expect(() => route('?')).toThrow(expect.objectContaining({ message: "unknown command '?'", hint }));
});

test.each([
  ['help statsu', 'Did you mean providers status, daemon status, or service status?'],
  ['help nope', 'There is no such command.'],
  ['help provider status', 'Did you mean providers status?'],
  ['help providers stat', 'Did you mean providers status?'],
])('%s asks about a command that there is not', (line, advice) => {
  const hint = `${advice} To send the words to a model: drivebay run ${line}`;
  const message = `unknown command '${line.slice('help '.length)}'`;
  expect(() => route(...line.split(' '))).toThrow(expect.objectContaining({ code: 'usage', message, hint }));
});

test.each([
  ['providers lst', 'Did you mean providers status?'],
  ['providers ls', 'Did you mean providers status?'],
  ['providers stat', 'Did you mean providers status?'],
  ['providers rm x', 'Did you mean providers remove?'],
  ['config show', 'Did you mean config check?'],
  ['config validate', 'Did you mean config check?'],
  ['mcp ls', 'Did you mean mcp list?'],
  ['clients lost', 'Did you mean clients list?'],
  ['debug shwo 1', 'Did you mean debug show?'],
  ['daemon kill', 'Did you mean daemon stop?'],
  ['plugins foo', 'the commands of plugins: list, new, check'],
])('%s is a mistake in a group of commands', (line, advice) => {
  const [group, word] = line.split(' ');
  const hint = `${advice} (see: drivebay ${group} --help)`;
  const message = `unknown command '${word}'`;
  expect(() => route(...line.split(' '))).toThrow(expect.objectContaining({ code: 'usage', message, hint }));
});

test.each([
  'providers',
  'clients --json',
  'debug --last 5',
  'compose up x.yaml',
  'mcp check x',
  'kill 1',
  'docs limits',
])('%s is a command with what belongs to it', (line) => expect(route(...line.split(' '))).toEqual(line.split(' ')));

test.each([
  ['sk-proj-0123456789abcdef'],
  ['add sk-proj-0123456789abcdef'],
  ['--json use key sk-proj-0123456789abcdef'],
  ['use abc_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7'],
  ['0123456789abcdef0123456789abcdef'],
  ['run sk-proj-0123456789abcdef'],
  ['run --json 0123456789abcdef0123456789abcdef'],
  ['-c sk-proj-0123456789abcdef'],
  ['--continue=3 sk-proj-0123456789abcdef'],
])('%s would send a key to a model', (line) =>
  expect(() => route(...line.split(' '))).toThrow(
    expect.objectContaining({
      message: 'the intent: a word of it (not shown) looks like a key',
      hint: expect.stringContaining('all the same: drivebay run -- ...') as string,
    }),
  ),
);

test.each(['models', 'doctor', 'ps', 'serve', 'launch'])('%s help asks for help', (command) =>
  expect(route(command, 'help')).toEqual([command, '--help']),
);

test.each([['hi --provider sk-proj-0123456789abcdef'], ['--model sk-proj-0123456789abcdef hi']])(
  '%s has its key in the flag, which refuses it',
  (line) => expect(route(...line.split(' '))).toEqual(['run', ...line.split(' ')]),
);

test('words of run may look like a key', () => {
  const words = ['run', '--', 'sk-proj-0123456789abcdef'];
  expect(route(...words)).toEqual(words);
});

test('a mistake with a key in it comes without a line to paste', () => {
  const words = ['explain', '--model', 'sk-proj-0123456789abcdef'];
  expect(() => route(...words)).toThrow(expect.objectContaining({ hint: 'Did you mean providers explain?' }));
});

test.each([
  ['list providers', 'Did you mean providers status?'],
  ['check config', 'Did you mean config check?'],
  ['restart daemon', 'Did you mean daemon restart?'],
])('"%s" in quotes is a mistake', (text, advice) => {
  const hint = `${advice} To send the words to a model: drivebay run '${text}'`;
  expect(() => route(text)).toThrow(expect.objectContaining({ code: 'usage', hint }));
});

test.each(['claude', 'codex', 'aider'])('%s alone is no intent: it names what is launched', async (word) => {
  const hint = `Did you mean launch ${word}? To send the words to a model: drivebay run ${word}`;
  await expect(refuseProgram([word], program)).rejects.toMatchObject({ code: 'usage', hint });
});

test.each([[['hello']], [['claude', 'mend', 'it']], [['--', 'claude']]])('%j is an intent', (words) =>
  refuseProgram(words, program),
);

test('what to type instead can be pasted', () => {
  const hint = expect.stringMatching(/: drivebay run stop 'it'\\''s late'$/) as string;
  expect(() => route('stop', "it's late")).toThrow(expect.objectContaining({ hint }));
});

test('every command that a word stands for exists', () => {
  const named = new Set([...COMMAND_WORDS.values()].flat().filter((command) => !command.startsWith('-')));
  const exists = (line: string) => {
    const [group, name] = line.split(' ');
    const found = program.commands.find((command) => command.name() === group);
    return name === undefined ? found : found?.commands.find((command) => command.name() === name);
  };
  expect([...named].filter((line) => !exists(line))).toEqual([]);
  expect([...COMMAND_WORDS.keys()].filter((word) => exists(word))).toEqual([]);
});

test.each([
  [['--json', 'ps'], 'drivebay ps --json', 'drivebay run --json ps'],
  [['--json', 'ps', '-a'], 'drivebay ps --json -a', 'drivebay run --json ps -a'],
  [['--json', 'trace', '5'], 'drivebay trace --json 5', 'drivebay run --json trace 5'],
  [['--provider', 'x', 'devices'], 'drivebay devices --provider x', 'drivebay run --provider x devices'],
])('%j is a mistake, not an intent', (words, meant, run) => {
  expect(() => route(...words)).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: `flags come after the command: ${meant}`,
      hint: `To send the words to a model: ${run}`,
    }),
  );
});

test.each([
  ['help run', 'run --help'],
  ['help daemon start', 'daemon start --help'],
])('%s asks for the help of a command', (words, routed) =>
  expect(route(...words.split(' '))).toEqual(routed.split(' ')),
);

test('help alone asks for help', () => expect(route('help')).toEqual(['--help']));
