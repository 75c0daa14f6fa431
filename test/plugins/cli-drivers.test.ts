import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Driver } from 'drivebay/plugin';
import type { CliOptions } from '../../plugins/_shared/cli/cli-run';
import { start as alpha } from './alpha-cli/harness';
import { start as beta } from './beta-cli/harness';
import { type CliHarness, failureOf } from './cli-harness';
import { start as delta } from './delta-cli/harness';
import { start as gamma } from './gamma-cli/harness';

type Harness = CliHarness<CliOptions, Driver>;

interface Case {
  driver: string;
  start: (options?: Partial<CliOptions>, environment?: Record<string, string>, program?: string) => Promise<Harness>;
  /** An argument of a run that has no tools. */
  talkOnly: string;
  /** Variables of the user's environment that must not reach the program. */
  removed: string[];
}

const CASES: Case[] = [
  {
    ...{ driver: 'alpha-cli', start: alpha, talkOnly: '--tools' },
    removed: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ID'],
  },
  {
    ...{ driver: 'beta-cli', start: beta, talkOnly: '--mode' },
    removed: ['CURSOR_API_KEY', 'CURSOR_AUTH_TOKEN', 'CURSOR_AGENT'],
  },
  {
    ...{ driver: 'gamma-cli', start: gamma, talkOnly: '--extensions' },
    removed: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_CLI', 'DEBUG'],
  },
  {
    ...{ driver: 'delta-cli', start: delta, talkOnly: 'features.shell_tool=false' },
    removed: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_SANDBOX', 'AI_AGENT'],
  },
];

let harness: Harness;
afterEach(() => harness.close());

describe.each(CASES)('$driver', ({ start, talkOnly, removed }) => {
  test('a gateway chat has no tools, works in the private folder, and gets the prompt as its input', async () => {
    harness = await start();
    expect(await harness.text()).toBe('Hello');
    const { argv, stdin, cwd } = harness.run;
    expect([argv.includes(talkOnly), argv.includes('Hi'), stdin]).toEqual([true, false, 'Hi']);
    expect(cwd.startsWith(await harness.open.context.scratch())).toBe(true);
  });

  test('with gateway_tools it has the tools, in the private folder', async () => {
    harness = await start({ gateway_tools: true });
    await harness.chat();
    expect(harness.run.argv).not.toContain(talkOnly);
    expect(harness.run.cwd.startsWith(await harness.open.context.scratch())).toBe(true);
  });

  test('an agent process has the tools, and works where it was started, also below its project', async () => {
    harness = await start();
    const { directory } = harness.open.home;
    const workingDirectory = join(directory, 'a project');
    mkdirSync(workingDirectory);
    await harness.chat({}, { workspace: { directory, skills: [], first: true } });
    await harness.chat({}, { workspace: { directory, workingDirectory, skills: [], first: true } });
    expect(harness.chats.map(({ cwd }) => cwd)).toEqual([directory, workingDirectory]);
    expect(harness.run.argv).not.toContain(talkOnly);
  });

  test('keys that the provider does not name and signs of a nested run stay behind, all else comes along', async () => {
    const kept = { HTTPS_PROXY: 'http://proxy:1', MINE: 'm' };
    const nested = { CLAUDECODE: '1', FORCE_COLOR: '1' };
    harness = await start({}, { ...kept, ...nested, ...Object.fromEntries(removed.map((name) => [name, 'x'])) });
    await harness.chat();
    const { env } = harness.run;
    expect(env).toMatchObject({ ...kept, NO_COLOR: '1' });
    expect([...removed, ...Object.keys(nested)].filter((name) => name in env)).toEqual([]);
  });

  test('the key that the provider names pays, and is needed', async () => {
    harness = await start({ api_key_env: 'MY_KEY' }, { MY_KEY: 'k-1' });
    expect(await harness.driver.metadata?.()).toMatchObject({
      resolved_bin: harness.cli.command,
      billing: 'api-key (MY_KEY)',
    });
    await harness.close();
    harness = await start({ api_key_env: 'MY_KEY' });
    const missing = { code: 'auth', kind: 'missing_key' };
    expect(await harness.failure()).toMatchObject(missing);
    expect(await failureOf(Promise.resolve(harness.driver.check(harness.call())))).toMatchObject(missing);
    expect(harness.chats).toEqual([]);
  });

  test('a check names the program, and starts nothing', async () => {
    harness = await start();
    const { detail } = (await harness.driver.check(harness.call())) ?? {};
    expect(detail?.replace(", billing: the program's login", '')).toBe(harness.cli.command);
    expect(harness.cli.runs).toEqual([]);
  });

  test('a model that could be taken for an option starts no run', async () => {
    harness = await start();
    expect(await harness.failure({ model: '--yolo' })).toMatchObject({ code: 'invalid_request', param: 'model' });
    expect(harness.cli.runs).toEqual([]);
  });

  test('a program that is not there is named, with the command that installs it', async () => {
    harness = await start({ command: '/no/such/program' }, { PATH: '/nowhere' });
    const expected = { code: 'not_installed', kind: 'binary_missing', hint: expect.stringContaining('install') };
    expect(await harness.failure()).toMatchObject(expected);
    expect(await failureOf(Promise.resolve(harness.driver.check(harness.call())))).toMatchObject(expected);
  });

  test('words that are no answer are quoted', async () => {
    harness = await start();
    harness.script(['\u001b[31mWelcome! Please choose a theme', { exit: 0 }]);
    expect(await harness.failure()).toMatchObject({
      code: 'protocol',
      kind: 'truncated',
      message: expect.stringMatching(/; it printed: Welcome! Please choose a theme$/),
    });
  });
});

test.each([
  ['alpha-cli', alpha, 'MY_KEY', ['ANTHROPIC_API_KEY']],
  ['alpha-cli', alpha, 'ANTHROPIC_API_KEY', ['ANTHROPIC_API_KEY']],
  ['alpha-cli', alpha, 'ANTHROPIC_AUTH_TOKEN', ['ANTHROPIC_AUTH_TOKEN']],
  ['alpha-cli', alpha, 'CLAUDE_CODE_OAUTH_TOKEN', ['CLAUDE_CODE_OAUTH_TOKEN']],
  ['beta-cli', beta, 'MY_KEY', ['CURSOR_API_KEY']],
  // A token of a login is no key.
  ['beta-cli', beta, 'CURSOR_AUTH_TOKEN', ['CURSOR_AUTH_TOKEN']],
  ['gamma-cli', gamma, 'MY_KEY', ['GEMINI_API_KEY', 'MY_KEY']],
  ['gamma-cli', gamma, 'GOOGLE_API_KEY', ['GOOGLE_API_KEY']],
  ['delta-cli', delta, 'MY_KEY', ['CODEX_API_KEY', 'MY_KEY']],
  // The program would take it for an API key first.
  ['delta-cli', delta, 'CODEX_ACCESS_TOKEN', ['CODEX_ACCESS_TOKEN']],
])('%s: the key in the variable that api_key_env names is passed on', async (driver, start, keyName, passed) => {
  const { removed } = CASES.find((each) => each.driver === driver)!;
  const others = Object.fromEntries(removed.map((name) => [name, 'another']));
  harness = await (start as Case['start'])({ api_key_env: keyName }, { ...others, [keyName]: 'the-key' });
  await harness.chat();
  const { env } = harness.run;
  expect(passed.map((name) => env[name])).toEqual(passed.map(() => 'the-key'));
  expect(Object.values(env)).not.toContain('another');
});
