import { HANG } from 'drivebay/testing';
import { chatRequest } from '../harness';
import { recordedLines, recording } from '../recordings';
import { start } from './harness';

let harness: Awaited<ReturnType<typeof start>>;

afterEach(() => harness.close());

const steps = (name: string) => recordedLines('codex', name);
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
        harness.script([{ stdout: recording('codex', name).stdout, split }]);
        expect(await harness.text({ stream })).toBe('Hello from the mock upstream.');
      }
    },
  );

  test('text before a tool is streamed while the tool works', async () => {
    harness = await start();
    const said = { type: 'item.completed', item: { type: 'agent_message', text: 'Looking.' } };
    harness.script([said, { type: 'item.started', item: { type: 'command_execution', command: 'ls' } }, HANG]);
    const answer = harness.driver.chat(chatRequest({ stream: true }), harness.call());
    let first = (await answer.next()).value;
    if (first?.type === 'meta') first = (await answer.next()).value;
    expect(first).toEqual({ type: 'text', text: 'Looking.' });
    await answer.return();
    await harness.untilGone();
  });
});

describe('the run', () => {
  test('a gateway chat is talk: no tools, in the private folder', async () => {
    harness = await start();
    await harness.chat();
    const { run } = harness;
    expect(run.argv.join(' ')).toMatch(/features\.shell_tool=false .*web_search="disabled" -c project_doc_max_bytes=0/);
    expect(run.env.CODEX_EXEC_SERVER_URL).toBe('none');
    expect(harness.traced).toContainEqual({
      event: 'delta_cli.resolve',
      fields: { resolved_bin: harness.cli.command, sandbox_mode: 'workspace-write', tools: false },
    });
  });

  test('gateway_tools gives the place to execute back', async () => {
    harness = await start({ gateway_tools: true }, { CODEX_EXEC_SERVER_URL: 'ws://mine', CODEX_HOME: '/somewhere' });
    await harness.chat();
    expect(harness.run.env).toMatchObject({ CODEX_EXEC_SERVER_URL: 'ws://mine', CODEX_HOME: '/somewhere' });
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
    const first = all.findIndex((line) => line.startsWith('{"type":"error"'));
    harness.script([...all.slice(0, first + 1), HANG]);
    expect(await harness.failure({ stream: true })).toMatchObject({ code, kind });
    await harness.cli.until(() => isSettled(harness.run.pid));
  });

  test('a notice of another kind is traced, and the run goes on', async () => {
    harness = await start();
    harness.script([{ type: 'error', message: 'Reconnecting... 1/5 (stream disconnected)' }, ...steps('ok')]);
    expect(await harness.text()).toBe('Hello from the mock upstream.');
    expect(harness.traced).toContainEqual({ event: 'delta_cli.retry', fields: { reason: 'stream disconnected' } });
  });

  test('after a tool has been at work it says so, and what the tool did is traced', async () => {
    harness = await start();
    const failed = { type: 'turn.failed', error: { message: 'stream disconnected before completion: x' } };
    harness.script([...steps('tool').slice(0, 5), failed, { exit: 1 }]);
    expect(await harness.failure()).toMatchObject({ code: 'upstream', sideEffects: true });
    expect(harness.traced).toContainEqual(
      expect.objectContaining({ event: 'delta_cli.item', fields: expect.objectContaining({ exit_code: 0 }) }),
    );
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
    harness.script([...steps('too-long'), { stderr }, { exit }]);
    expect(await harness.failure()).toMatchObject(expected);
  });

  test('the last error counts when the run ends without saying how its turn ended', async () => {
    harness = await start();
    harness.script([...steps('401').slice(0, -1), { exit: 1 }]);
    expect(await harness.failure()).toMatchObject({ code: 'auth', status: 401 });
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
    harness.script([step, { exit: 0 }]);
    expect(await harness.driver.metadata()).toEqual({
      ...{ resolved_bin: harness.cli.command, sandbox_mode: 'workspace-write', billing },
    });
    expect(harness.run.argv).toEqual(['login', 'status']);
  });
});
