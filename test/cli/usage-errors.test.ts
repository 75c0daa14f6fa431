import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RunningGateway } from '../setup/running-gateway';
import { LiveCli } from '../setup/live-cli';
import { cliPath, runCli } from '../setup/run-cli';
import { tempHome } from '../setup/temp-home';

const home = tempHome();

describe('what cannot be understood ends with exit code 2, one line about it on stderr, and a way on', () => {
  test.each<[string, string[], RegExp]>([
    ['a misspelt command', ['serv'], /unknown command 'serv'\n.*Did you mean serve\?/],
    ['a misspelt subcommand', ['providers', 'statsu'], /unknown command 'statsu'\n.*Did you mean providers status\?/],
    [
      'a bad name and no kind',
      ['plugins', 'new', 'Bad Name'],
      /"Bad Name" cannot be the name of a driver: .*\n.*: bad-name/,
    ],
    [
      'a provider for a launched program, without its flag',
      ['launch', 'aider', 'mine', '--model', 'm-1', '--', '-x'],
      /^error: too many words for 'launch'.*: mine\n.*: drivebay launch aider --provider mine; .*: drivebay launch aider -- mine -x\n$/,
    ],
    [
      'a mistyped program behind --',
      ['launch', '--', 'aidr'],
      /^error: there is no client "aidr"\n.*did you mean aider\?/,
    ],
    [
      'the words of a task for a launched program',
      ['launch', 'claude', 'fix', 'it'],
      /^error: too many words for 'launch'.*: fix it\n {2}words for Claude Code .*: drivebay launch claude -- fix it\n$/,
    ],
    [
      'a server that a driver asks',
      ['providers', 'add', 'openrouter', '--model', 'a/b'],
      /driver "openrouter"\n.*: drivebay providers add openai-compatible --name openrouter --base-url https:\/\/openrouter\.ai\/api\/v1 --api-key-env OPENROUTER_API_KEY --model a\/b\n/,
    ],
    ['a wish for more output', ['daemon', 'start', '-v'], /unknown option '-v'\n/],
    ['a misspelt flag', ['serve', '--prot', '8081'], /unknown option '--prot'\n.*Did you mean --port\?/],
    ['a flag without its value', ['serve', '--port'], /'--port <number>' argument missing/],
    ['a word too many', ['providers', 'status', 'now'], /too many arguments for 'status'/],
    ['a port that is no number', ['serve', '--port', 'http'], /'http' is invalid\. Expected a number from 1 to 65535/],
    ['port 0', ['serve', '--port', '0'], /'0' is invalid\. Expected a number from 1 to 65535/],
    ['a port above the last', ['serve', '--port', '65536'], /'65536' is invalid\. Expected a number from 1 to 65535/],
    ['a negative port', ['serve', '--port', '-1'], /Expected a number from 1 to 65535|argument missing/],
    ['half a port', ['serve', '--port', '80.5'], /Expected a number from 1 to 65535/],
    ['an unknown log level', ['serve', '--log-level', 'loud'], /Allowed choices are debug, info, warn, error, silent/],
    ['an address to listen on', ['serve', '--host', '0.0.0.0'], /no --host: .* 127\.0\.0\.1 only\n.*docs scaling/],
    ['the same of a service', ['service', 'install', '--bind=::'], /no --bind: .* 127\.0\.0\.1 only\n.*docs scaling/],
    [
      'an address that is left out',
      ['mcp', 'serve', '--bind', '--port', '9123'],
      /no --bind: .*\n.*ssh -L 9123:127.0.0.1:9123/,
    ],
    ['a host with a port', ['serve', '--allow-host', 'a.b:80'], /Expected a host name without scheme and port/],
    ['any origin', ['serve', '--allow-origin', '*'], /Expected one origin, .*there is no wildcard/],
    ['an inbound key that is not set', ['serve', '--api-key-env', 'NO_KEY'], /NO_KEY: the variable is not set/],
    ['an inbound key without a name', ['serve', '--api-key-env', ''], /--api-key-env is empty\n/],
    ['a service without one', ['service', 'install', '--print', '--api-key-env', ''], /--api-key-env is empty\n/],
    [
      'a provider, where there is no configuration',
      ['doctor', 'claude-code'],
      /"claude-code"\n {2}providers: deepseek; to add one: drivebay providers add <driver>, or drivebay init where there is no file yet\n$/,
    ],
    [
      'the same of a run',
      ['--provider', 'claude-code', 'hi'],
      /"claude-code"\n {2}providers: deepseek; to add one: drivebay providers add <driver>, or drivebay init where /,
    ],
    [
      'a provider without its driver',
      ['providers', 'add'],
      /missing required argument 'driver'\n\(see: drivebay providers add --help\)\n/,
    ],
    ['an unknown schema', ['schema', '--of', 'everything'], /Allowed choices are providers, manifest/],
    ['a configuration file that is not there', ['config', 'check', 'gone.yaml'], /there is no file .*gone\.yaml/],
    ['trust outside of a project', ['trust'], /no project configuration here\n.*\.drivebay\/providers\.yaml/],
  ])('%s', async (_, words, message) => {
    const result = await runCli(words, { env: home.environment() });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).toMatch(/^error: /);
    expect(result.stderr).not.toMatch(/^\s+at /m);
    expect(result).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('a key in the place of a name is refused, and not shown', () => {
  const KEY = 'sk-proj-0123456789abcdef';
  test.each<[string, string[]]>([
    ['the name of a client', ['clients', 'new', KEY]],
    ['what a client may ask for', ['clients', 'new', '--allow', KEY, 'ci']],
    ['a model that a client may ask for', ['clients', 'new', '--allow', `demo:${KEY}`, 'ci']],
    ['the name of a provider', ['providers', 'add', 'openai', '--name', KEY]],
    ['its model', ['providers', 'add', 'openai', '--model', KEY]],
    ['a driver', ['providers', 'add', KEY]],
    ['the user of its address', ['providers', 'add', 'openai', '--base-url', `https://${KEY}@h/v1`]],
    ['the query of its address', ['providers', 'add', 'openai', '--base-url', `https://h/v1?x=${KEY}`]],
    ['the path of its address', ['providers', 'add', 'openai', '--base-url', `https://h/${KEY}`]],
    ['a reasoning effort', ['providers', 'explain', 'demo', '--reasoning-effort', KEY]],
    ['a default', ['providers', 'set-default', KEY]],
    ['a provider that is not there', ['providers', 'explain', KEY]],
    ['the name of a tool server', ['mcp', 'add', KEY, '--', 'true']],
    ['the model of a program', ['launch', 'claude', '--model', KEY]],
    ['the whole intent', [KEY]],
    ['a port', ['serve', '--port', KEY]],
    ['a flag', ['serve', `--${KEY}`]],
  ])('%s', async (_, words) => {
    const { code, stdout, stderr } = await home.run(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .*looks like a key/);
    expect(stderr).not.toContain(KEY);
    expect(existsSync(join(home.directory, '.config/drivebay'))).toBe(false);
  });
});

test('a limit of the terminal for files is named, with the command that raises it', async () => {
  const own = tempHome();
  const command = ['/bin/sh', '-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, cliPath];
  const live = new LiveCli(['providers', 'add', 'claude-code'], { env: own.environment() }, command);
  const { code, stderr } = await live.endInput().end();
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^error: a file would .*EFBIG.*\n.*: ulimit -f unlimited\n$/),
  ]);
});

test('an empty value counts as not given', async () => {
  const given = await home.run('schema', '--of', '');
  expect(given).toEqual(await home.run('schema'));
  const words = ['--log-level', '', '--log-format', '', '--allow-host', '', '--allow-origin', ''];
  const gateway = await RunningGateway.start(words, { env: home.environment() });
  try {
    await gateway.untilOutput(/ info /);
  } finally {
    await gateway.stop();
  }
});
