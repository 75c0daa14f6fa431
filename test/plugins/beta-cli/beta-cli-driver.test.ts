import { type CliStep, HANG } from 'drivebay/testing';
import { user } from '../cli-harness';
import { recording, recordingNames } from '../recordings';
import { HELLO, start } from './harness';
import { init, piece, result, tool } from './lines';

let harness: Awaited<ReturnType<typeof start>>;

afterEach(() => harness.close());

const workspace = { directory: '/', skills: [], first: true };

describe('an answer', () => {
  test.each(recordingNames('cursor'))(
    'of the run "%s" is the same streamed and whole, however it is split',
    async (name) => {
      harness = await start();
      const texts: string[] = [];
      for (const [split, stream] of [
        [1, true],
        [7, false],
      ] as const) {
        harness.script([{ stdout: recording('cursor', name).stdout, split }]);
        texts.push(await harness.text({ stream }));
      }
      expect(texts[0]).toMatch(/Done!?$/);
      expect(texts[1]).toBe(texts[0]);
    },
  );

  test('is read where something stands before the events', async () => {
    harness = await start();
    const [first, ...others] = HELLO.map((event) => JSON.stringify(event)) as [string, ...string[]];
    harness.script([`stdout: ${first}`, ...others.map((event) => `\u001b[0m${event}`)]);
    expect(await harness.text()).toBe('Hello');
  });
});

describe('the run', () => {
  test('of a gateway chat only reads, in the private folder', async () => {
    harness = await start();
    await harness.chat({ model: 'auto' });
    const { run } = harness;
    const flags = '--print --output-format stream-json --stream-partial-output --trust --mode ask --model auto';
    expect(run.argv.join(' ')).toBe(flags);
    expect(harness.traced).toEqual([
      { event: 'beta_cli.resolve', fields: { resolved_bin: harness.cli.command, tools: false } },
    ]);
  });

  test.each(['/model gpt', '!ls', '&do it elsewhere'])('%s is plain text', async (text) => {
    harness = await start();
    await harness.chat({ messages: [user(text)] });
    expect(harness.run.stdin).toBe(` ${text}`);
  });

  test('of an agent process has the tools', async () => {
    harness = await start();
    harness.script([init(), tool('started'), tool('completed'), ...HELLO.slice(1)]);
    await harness.chat({}, { workspace });
    const flags =
      '--print --output-format stream-json --stream-partial-output --trust --force --approve-mcps --model m';
    expect(harness.run.argv.join(' ')).toBe(flags);
    expect(harness.traced).toContainEqual({ event: 'beta_cli.item', fields: { tool: 'shell', stage: 'started' } });
  });
});

describe('a failure', () => {
  const TRUST = '⚠ Workspace Trust Required\n\n  Cursor Agent can execute code.\n  Pass --trust, --yolo, or -f\n';
  const LIMIT =
    "Error: You've hit your usage limit\n  Get Cursor Pro for more Agent usage.\n  chatMessage: *Your usage limits will\n" +
    `reset when your monthly cycle ends on ${new Date(Date.now() + 86_400_000).toLocaleDateString('en-US', { timeZone: 'UTC' })}.*\n`;

  test.each<[string, CliStep[], object]>([
    ['a refused folder with exit code 0', [{ stdout: TRUST }], { code: 'rejected', kind: 'untrusted_workspace' }],
    [
      'no login',
      [
        { stderr: "Error: Authentication required. Please run 'agent login' first, or set CURSOR_API_KEY.\n" },
        { exit: 1 },
      ],
      { code: 'auth', kind: 'login_required', hint: expect.stringMatching(/^run: '.*agent' login$/) },
    ],
    [
      'a used-up plan, with the day of its renewal',
      [init(), { stderr: LIMIT }, { exit: 1 }],
      { code: 'rate_limited', kind: 'usage_limit', retryAfterS: expect.any(Number) },
    ],
    [
      'a flag that an old version does not know',
      [{ stderr: "error: unknown option '--mode'\n" }, { exit: 1 }],
      { code: 'not_installed', kind: 'bad_option', hint: expect.stringContaining('update') },
    ],
    [
      'another model than the plan has',
      ['T: [resource_exhausted] Named models unavailable Free plans can only use Auto.', { exit: 1 }],
      { code: 'rejected', kind: 'model_unavailable', hint: expect.stringContaining('auto') },
    ],
    ['no end', [init(), piece('Hel')], { code: 'protocol', kind: 'truncated' }],
    ['an appended error without a result', [piece('Hi\n\nError: T: [unavailable] Error')], { code: 'upstream' }],
    ['an error that it says succeeded', [result('T: [internal] Error')], { code: 'upstream', kind: 'upstream' }],
    ['a lost connection', [init(), { type: 'error', message: 'Connection stalled' }], { code: 'unreachable' }],
  ])('by %s is known', async (_, steps, expected) => {
    harness = await start();
    harness.script(steps);
    expect(await harness.failure()).toMatchObject(expected);
  });

  test('is not explained by words of the model that the CLI repeats on its standard error', async () => {
    harness = await start();
    const said = piece('the rate limit');
    harness.script([said, { stderr: `oops\n${JSON.stringify(said)}\n` }, { exit: 1 }]);
    expect(await harness.failure()).toMatchObject({
      kind: 'crashed',
      message: 'agent ended with exit code 1: oops',
    });
  });

  test('of the connection is not waited for, and the run is ended', async () => {
    harness = await start();
    const reconnecting = { type: 'connection', subtype: 'reconnecting', endpoint_url: 'https://x' };
    harness.script([init(), reconnecting, reconnecting, reconnecting, HANG]);
    expect(await harness.failure()).toMatchObject({ code: 'unreachable' });
    await harness.cli.until(() => harness.run.ended);
  });

  test('after an answer began anew is one of a chat only', async () => {
    harness = await start();
    harness.script([piece('Hel'), { type: 'retry', subtype: 'starting' }, piece('Hello'), result('Hello')]);
    expect(await harness.failure()).toMatchObject({ code: 'upstream', kind: 'truncated' });
    expect(await harness.text({}, { workspace })).toBe('Hel\n\nHello');
  });

  test('says so after a tool has been at work, where it can change something', async () => {
    harness = await start();
    harness.script([tool('started'), result('why', { is_error: true })]);
    expect(await harness.failure({}, { workspace })).toMatchObject({ sideEffects: true });
    expect(await harness.failure()).toMatchObject({ sideEffects: false });
  });
});

describe('which purse pays', () => {
  test.each([
    ['login', 'subscription', 0],
    ['env', 'api-key (env)', 1],
  ])('is learned from a run with the key source "%s"', async (source, billing, warnings) => {
    harness = await start();
    harness.script([init(source), ...HELLO.slice(1)]);
    await harness.chat();
    await harness.chat();
    expect(await harness.driver.metadata()).toEqual({ resolved_bin: harness.cli.command, billing });
    expect(harness.warnings).toHaveLength(warnings);
  });
});
