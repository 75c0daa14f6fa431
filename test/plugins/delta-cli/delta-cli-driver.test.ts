import { HANG } from 'drivebay/testing';
import { failureOf } from '../cli-harness';
import { chatRequest } from '../harness';
import { start } from './harness';
import { recordedEvents, recording } from './recordings';

let harness: Awaited<ReturnType<typeof start>>;

afterEach(() => harness.close());

const steps = (name: string) => recordedEvents(name) as object[];
const isSettled = (pid: number) => harness.cli.runs.find((run) => run.pid === pid)?.ended === true;

describe('an answer', () => {
  test.each(['ok', 'reasoning', 'tool', 'tool-ro-write', 'cache'])(
    'the recording "%s" gives the same text streamed and whole, however it is split',
    async (name) => {
      harness = await start();
      for (const [split, stream] of [
        [1, true],
        [7, false],
      ] as const) {
        harness.cli.script([{ stdout: recording(name), split }]);
        expect(await harness.text({ stream })).toBe('Hello from the mock upstream.');
      }
    },
  );

  test('text before a tool is streamed while the tool works', async () => {
    harness = await start();
    const said = { type: 'item.completed', item: { type: 'agent_message', text: 'Looking.' } };
    harness.cli.script([said, { type: 'item.started', item: { type: 'command_execution', command: 'ls' } }, HANG]);
    const answer = harness.driver.chat(chatRequest({ stream: true }), harness.call());
    expect((await answer.next()).value).toEqual({ type: 'text', text: 'Looking.' });
    await answer.return();
    await harness.untilGone();
  });
});

describe('the run', () => {
  test('a gateway chat is talk: no tools, in the private folder', async () => {
    harness = await start();
    harness.cli.script(steps('ok'));
    await harness.chat();
    const { run } = harness;
    expect(run.argv.join(' ')).toMatch(/features\.shell_tool=false .*web_search="disabled" -c project_doc_max_bytes=0/);
    expect(run.env.CODEX_EXEC_SERVER_URL).toBe('none');
    expect(run.cwd).toBe(await harness.open.context.scratch());
    expect(run.stdin).toBe('Hi');
    expect(harness.traced).toContainEqual({
      event: 'delta_cli.resolve',
      fields: { resolved_bin: harness.cli.command, sandbox_mode: 'workspace-write', tools: false },
    });
  });

  test('gateway_tools gives the tools back, in the private folder', async () => {
    harness = await start({ gateway_tools: true }, { CODEX_EXEC_SERVER_URL: 'ws://mine' });
    harness.cli.script(steps('ok'));
    await harness.chat();
    expect(harness.run.env.CODEX_EXEC_SERVER_URL).toBe('ws://mine');
    expect(harness.run.argv).not.toContain('features.shell_tool=false');
    expect(harness.run.cwd).toBe(await harness.open.context.scratch());
  });

  test('an agent process works in its own folder, with the tools', async () => {
    harness = await start();
    harness.cli.script(steps('tool'));
    const directory = harness.open.home.directory;
    await harness.chat({}, { workspace: { directory, skills: [], first: true } });
    expect(harness.run.argv).not.toContain('features.shell_tool=false');
    expect(harness.run.cwd).toBe(directory);
    expect(harness.traced).toContainEqual(
      expect.objectContaining({ event: 'delta_cli.item', fields: expect.objectContaining({ exit_code: 0 }) }),
    );
  });

  test('keys and nested-run variables stay behind, everything else comes along', async () => {
    const kept = { HTTPS_PROXY: 'http://proxy', CODEX_HOME: '/somewhere', MOCK_KEY: 'm' };
    const removed = {
      OPENAI_API_KEY: 'k',
      CODEX_API_KEY: 'k',
      CODEX_SANDBOX: 'seatbelt',
      CLAUDECODE: '1',
      AI_AGENT: 'x',
    };
    harness = await start({}, { ...kept, ...removed });
    harness.cli.script(steps('ok'));
    await harness.chat();
    expect(harness.run.env).toMatchObject(kept);
    for (const name of Object.keys(removed)) expect(harness.run.env).not.toHaveProperty(name);
  });

  test('the key that the provider names is handed over', async () => {
    harness = await start({ api_key_env: 'MY_KEY' }, { MY_KEY: 'k-1', OPENAI_API_KEY: 'k-2' });
    harness.cli.script(steps('ok'));
    await harness.chat();
    expect(harness.run.env).toMatchObject({ MY_KEY: 'k-1', CODEX_API_KEY: 'k-1' });
    expect(harness.run.env).not.toHaveProperty('OPENAI_API_KEY');
  });

  test('an access token is handed over as such: the program would take it for an API key first', async () => {
    const name = 'CODEX_ACCESS_TOKEN';
    harness = await start({ api_key_env: name }, { [name]: 'at-1', CODEX_API_KEY: 'k-2' });
    harness.cli.script(steps('ok'));
    await harness.chat();
    expect(harness.run.env).toMatchObject({ [name]: 'at-1' });
    expect(harness.run.env).not.toHaveProperty('CODEX_API_KEY');
  });

  test('a model that could be taken for an option starts no run', async () => {
    harness = await start();
    expect(await harness.failure({ model: '--yolo' })).toMatchObject({ code: 'invalid_request', param: 'model' });
    expect(harness.cli.runs).toEqual([]);
  });
});

describe('a failure', () => {
  test.each([
    ['401-default-retries', 'auth', 'login_required'],
    ['not-logged-in', 'auth', 'login_required'],
    ['refused-unbounded', 'unreachable', 'unreachable'],
  ])('"%s" is known at the first notice, and the run is ended', async (name, code, kind) => {
    harness = await start();
    const all = steps(name);
    const first = all.findIndex((event) => (event as { type: string }).type === 'error');
    harness.cli.script([...all.slice(0, first + 1), HANG]);
    expect(await harness.failure({ stream: true })).toMatchObject({ code, kind });
    await harness.cli.until(() => isSettled(harness.run.pid));
  });

  test('a notice of another kind is traced, and the run goes on', async () => {
    harness = await start();
    harness.cli.script([{ type: 'error', message: 'Reconnecting... 1/5 (stream disconnected)' }, ...steps('ok')]);
    expect(await harness.text()).toBe('Hello from the mock upstream.');
    expect(harness.traced).toContainEqual({ event: 'delta_cli.retry', fields: { reason: 'stream disconnected' } });
  });

  test('after a tool has been at work it says so', async () => {
    harness = await start();
    const failed = { type: 'turn.failed', error: { message: 'stream disconnected before completion: x' } };
    harness.cli.script([...steps('tool').slice(0, 5), failed, { exit: 1 }]);
    expect(await harness.failure()).toMatchObject({ code: 'upstream', sideEffects: true });
  });

  test.each([
    [
      "error: unexpected argument '--ephemeral' found\n\nUsage: codex\n\nFor more information, try '--help'.",
      2,
      {
        code: 'not_installed',
        kind: 'bad_option',
        hint: expect.stringContaining('npm install -g @openai/codex'),
      },
    ],
    [
      "error: unexpected argument '--searchh' found\n\n  tip: ...",
      2,
      {
        code: 'rejected',
        kind: 'bad_option',
        hint: 'remove --searchh from extra_args',
      },
    ],
    ["error: the argument '--sandbox <SANDBOX_MODE>' cannot be used multiple times\n", 2, { kind: 'bad_option' }],
    ['Not inside a trusted directory and --skip-git-repo-check was not specified.', 1, { kind: 'untrusted_workspace' }],
    ['Error loading config.toml: expected `=`', 1, { code: 'not_installed', kind: 'program_config' }],
    ['Error: Model provider `zzz` not found', 1, { code: 'not_installed', kind: 'program_config' }],
    [
      'Error: turn/start: turn/start failed: Input exceeds the maximum length of 1048576 characters. (code -32602)',
      1,
      {
        code: 'invalid_request',
        kind: 'context_overflow',
        param: 'messages',
        message: expect.stringContaining('maximum length of 1048576 characters'),
      },
    ],
    [
      '',
      0,
      { code: 'protocol', kind: 'truncated', hint: expect.stringMatching(/run: .* exec --skip-git-repo-check hello$/) },
    ],
  ])('the standard error %j with exit code %i', async (stderr, exit, expected) => {
    harness = await start({ extra_args: ['--searchh'] });
    harness.cli.script([...steps('too-long'), { stderr }, { exit }]);
    expect(await harness.failure()).toMatchObject(expected);
  });

  test('the last error counts when the run ends without saying how its turn ended', async () => {
    harness = await start();
    harness.cli.script([...steps('401').slice(0, -1), { exit: 1 }]);
    expect(await harness.failure()).toMatchObject({ code: 'auth', status: 401 });
  });

  test('a program that is not there is named with the command that installs it', async () => {
    harness = await start({ command: 'no-such-codex' });
    const expected = { code: 'not_installed', kind: 'binary_missing', hint: expect.stringContaining('npm install -g') };
    expect(await harness.failure()).toMatchObject(expected);
    expect(await failureOf(harness.driver.check(harness.call()))).toMatchObject(expected);
  });
});

describe('at construction', () => {
  test('danger-full-access is warned about', async () => {
    harness = await start({ sandbox_mode: 'danger-full-access' });
    expect(harness.warnings).toEqual([expect.stringContaining('danger-full-access')]);
  });

  test('arguments that work against the driver are warned about', async () => {
    harness = await start({ extra_args: ['--yolo', '--json'] });
    expect(harness.warnings).toEqual([expect.stringContaining('--yolo')]);
  });
});

describe('metadata', () => {
  test.each([
    [{ stderr: 'Logged in using ChatGPT\n' }, 'subscription'],
    [{ stdout: 'API key configured - sk-t***t\n' }, 'api-key (codex login)'],
    [{ stderr: 'Not logged in\n' }, 'unknown'],
  ])('what the CLI says of its login decides who pays: %j', async (step, billing) => {
    harness = await start();
    harness.cli.script([step, { exit: 0 }]);
    expect(await harness.driver.metadata()).toEqual({
      ...{ resolved_bin: harness.cli.command, sandbox_mode: 'workspace-write', billing },
    });
    expect(harness.run.argv).toEqual(['login', 'status']);
  });

  test('a key that the provider names pays', async () => {
    harness = await start({ api_key_env: 'MY_KEY' }, { MY_KEY: 'k' });
    expect(await harness.driver.metadata()).toMatchObject({ billing: 'api-key (MY_KEY)' });
    expect(harness.cli.runs).toEqual([]);
  });
});
