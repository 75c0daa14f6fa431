import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HANG } from 'drivebay/testing';
import { rootWarning } from '../../../plugins/alpha-cli/environment';
import { until } from '../../setup/until';
import { textOf } from '../cli-harness';
import { says as say } from '../messages';
import { chatRequest } from '../harness';
import { isHelp, start } from './harness';
import { blockStart, delta, init, messageDelta, messageStart, messageStop, result, said } from './lines';

let harness: Awaited<ReturnType<typeof start>>;
afterEach(() => harness.close());

describe('the price that the program tells', () => {
  it.each([
    ['is nominal under a login', 'none', true],
    ['counts with a key', 'ANTHROPIC_API_KEY', undefined],
  ])('%s', async (_, apiKeySource, nominal) => {
    harness = await start();
    const usage = { input_tokens: 3, output_tokens: 4 };
    harness.script([init({ apiKeySource }), result('Hello', { total_cost_usd: 0.5, usage })]);
    const events = await harness.chat({ messages: [say('user', 'Hi')] });
    expect(events.findLast(({ type }) => type === 'usage')).toMatchObject({
      costUsd: 0.5,
      ...(nominal && { nominal }),
    });
    expect(events.findLast(({ type }) => type === 'usage')?.['nominal' as never]).toBe(nominal);
  });
});

describe('a gateway chat', () => {
  it('has file names as plain text, with tools or without', async () => {
    for (const gateway_tools of [false, true]) {
      harness = await start({ gateway_tools });
      await harness.chat({ messages: [say('user', '@/etc/hostname')] });
      expect(harness.run.stdin).toBe('@/etc/hostname');
      expect(harness.run.env.CLAUDE_CODE_DISABLE_ATTACHMENTS).toBe('1');
      if (!gateway_tools) await harness.close();
    }
  });

  it('passes all system texts in a file that only the user can read, and that is gone after its end', async () => {
    harness = await start();
    const seen: unknown[] = [];
    harness.script(({ argv }) => {
      const file = argv[argv.indexOf('--system-prompt-file') + 1] ?? '';
      seen.push(readFileSync(file, 'utf8'), statSync(file).mode & 0o077, statSync(dirname(file)).mode & 0o077);
      seen.push(file);
      return [result('Hello')];
    });
    const messages = [say('system', 'One'), say('user', 'Hi'), say('developer', 'Two')];
    await harness.chat({ messages });
    expect(seen.slice(0, 3)).toEqual(['One\n\nTwo', 0, 0]);
    expect(harness.run.stdin).toBe('Hi');
    expect(readdirSync(dirname(seen[3] as string))).toEqual([]);
  });

  it('has its system texts in the prompt where the program takes no file', async () => {
    harness = await start();
    harness.script([result('Hello')], (run) => (isHelp(run) ? ['--add-dir'] : undefined));
    await harness.chat({ messages: [say('system', 'One'), say('user', 'Hi')] });
    expect(harness.run.stdin).toContain('<message role="system">\nOne\n</message>');
  });

  it.each([
    [{ extra_args: ['--system-prompt', 'Mine'] }, '--system-prompt-file'],
    [{ extra_args: ['--system-prompt-file=/mine'] }, '--system-prompt-file'],
    [{ extra_args: ['--append-system-prompt', 'Mine'], gateway_tools: true }, '--append-system-prompt-file'],
  ])('has them there, too, where the user gives a system prompt: %j', async (options, ours) => {
    harness = await start(options);
    await harness.chat({ messages: [say('system', 'One'), say('user', 'Hi')] });
    expect(harness.run.stdin).toContain('<message role="system">\nOne\n</message>');
    expect(harness.run.argv).not.toContain(ours);
  });

  it('leaves a system prompt that is added beside the one that replaces', async () => {
    harness = await start({ extra_args: ['--append-system-prompt', 'Mine'] });
    await harness.chat({ messages: [say('system', 'One'), say('user', 'Hi')] });
    expect(harness.run).toMatchObject({ stdin: 'Hi' });
    expect(harness.run.argv).toContain('--system-prompt-file');
  });

  it('names what it cannot honour', async () => {
    harness = await start();
    const [first] = await harness.chat({ topP: 0, temperature: 0, maxTokens: 5, extra: { seed: 1 } });
    expect(first).toEqual({ type: 'meta', ignored: ['seed', 'top_p'] });
    expect(harness.run.env.CLAUDE_CODE_MAX_OUTPUT_TOKENS).toBe('5');
  });
});

describe('a process', () => {
  it('works in its folder, knows its skills, and keeps the program’s own prompt', async () => {
    harness = await start();
    const folder = join(harness.open.home.directory, 'a project');
    mkdirSync(folder);
    const workspace = { directory: folder, skills: [{ name: 'web', directory: '/skills/web' }], first: true };
    await harness.chat({ messages: [say('system', 'Be brief'), say('user', 'Fix it')] }, { workspace });
    const { run } = harness;
    expect(run.cwd).toBe(folder);
    expect(run.argv.join(' ')).toMatch(/^-p --add-dir \/skills\/web --output.*--append-system-prompt-file \S/);
    expect(run.argv).not.toContain('--tools');
    expect(run.stdin).toMatch(/^# Instructions\n\nWorking directory: .*a project\n\n.*\n\n# User request\n\nFix it$/);
    expect(run.env.CLAUDE_CODE_DISABLE_ATTACHMENTS).toBeUndefined();
  });

  it('leaves its facts in the trace', async () => {
    harness = await start();
    await harness.chat({}, { workspace: { skills: [], first: true } });
    expect(harness.traced.map(({ event, fields }) => [event, fields])).toEqual([
      ['alpha_cli.resolve', { resolved_bin: harness.cli.command, permission_mode: 'bypassPermissions' }],
      ['alpha_cli.capabilities', { cap_partial_messages: 'true', cap_add_dir: 'true', cap_permission_mode: 'true' }],
    ]);
  });

  it('that failed after a tool call may have acted', async () => {
    harness = await start();
    harness.script([messageStart(), blockStart({ type: 'tool_use' }), { exit: 1 }]);
    expect(await harness.failure({}, { workspace: { skills: [], first: true } })).toMatchObject({
      code: 'upstream',
      kind: 'crashed',
      sideEffects: true,
    });
  });
});

describe('metadata', () => {
  it('hold what the specification names, and who pays', async () => {
    harness = await start({ permission_mode: 'plan' });
    const known = {
      ...{ resolved_bin: harness.cli.command, permission_mode: 'plan', cap_partial_messages: 'true' },
      ...{ cap_add_dir: 'true', cap_permission_mode: 'true' },
    };
    expect(await harness.driver.metadata()).toEqual({ ...known, billing: "the program's login" });
    await harness.chat();
    expect(await harness.driver.metadata()).toEqual({ ...known, billing: 'subscription', version: '2.1.197' });
  });

  it('know who pays as soon as the answer of the first run begins', async () => {
    harness = await start();
    const metadata: unknown[] = [];
    harness.script([init({ apiKeySource: 'apiKeyHelper' }), said('Hel'), HANG]);
    for await (const event of harness.driver.chat(chatRequest({}), harness.call())) {
      if (event.type !== 'text') continue;
      metadata.push(await harness.driver.metadata());
      break;
    }
    expect(metadata).toEqual([expect.objectContaining({ billing: 'api-key (apiKeyHelper)', version: '2.1.197' })]);
  });

  it.each([
    ['none', 'subscription', 0],
    ['oauth', 'subscription', 0],
    ['/login managed key', 'api-key (/login managed key)', 1],
  ])(
    'know who pays by the source of keys %j, and warn once of a key that nothing names',
    async (keySource, billing, count) => {
      harness = await start();
      harness.script([init({ apiKeySource: keySource }), result('Hello')]);
      await harness.chat();
      await harness.chat();
      expect(await harness.driver.metadata()).toMatchObject({ billing });
      expect(harness.warnings).toHaveLength(count);
    },
  );

  it.each([
    [{ CLAUDE_CODE_USE_BEDROCK: '1' }, {}, 'cloud account (CLAUDE_CODE_USE_BEDROCK)'],
    [{ CLAUDE_CODE_USE_VERTEX: 'true' }, {}, 'cloud account (CLAUDE_CODE_USE_VERTEX)'],
    [{ CLAUDE_CODE_USE_VERTEX: '0' }, {}, "the program's login"],
    [{}, { api_key_env: 'CLAUDE_CODE_OAUTH_TOKEN' }, 'subscription (CLAUDE_CODE_OAUTH_TOKEN)'],
  ])('with the environment %j and the options %j the purse is known', async (environment, options, billing) => {
    const before = process.env;
    process.env = { ...before, ...environment };
    harness = await start(options);
    expect(await harness.driver.metadata()).toMatchObject({ billing });
    process.env = before;
  });
});

describe('the end of a run', () => {
  it('is its last event, whatever the process does then', async () => {
    harness = await start();
    harness.script([{ ignore: 'SIGTERM' }, said('Hello'), result('Hello'), HANG]);
    expect((await harness.chat()).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  it('comes where the client’s token limit is reached, and nothing more is paid for', async () => {
    harness = await start();
    let hasAskedOn = false;
    // The program goes on by itself, soon.
    const asksOn = [1_000, () => void (hasAskedOn = true), HANG];
    const end = messageDelta('max_tokens', { output_tokens: 3 });
    harness.script([messageStart(), delta('Hel'), end, messageStop(), ...asksOn]);
    const events = await harness.chat({ maxTokens: 3 });
    expect([textOf(events), events.at(-1)]).toEqual(['Hel', { type: 'finish', reason: 'length' }]);
    await harness.untilGone();
    expect(hasAskedOn).toBe(false);
  });

  it('passes warnings of the program on, and names tools that were not allowed', async () => {
    harness = await start({ permission_mode: 'plan' });
    const answer = result('Hello', { permission_denials: [{ tool_name: 'Bash' }, { tool_name: 'Bash' }] });
    // The two outputs of a program come in any order.
    const heard = () => until(() => harness.warnings.length > 0);
    harness.script([{ stderr: "noise\nWarning: Unknown --effort value 'ZZZ'\n" }, heard, said('Hello'), answer]);
    await harness.chat();
    expect(harness.warnings).toEqual([
      "claude: Warning: Unknown --effort value 'ZZZ'",
      'claude: it was not allowed to use Bash: permission_mode decides what it may do',
    ]);
  });
});

describe('a run that ends without its last event', () => {
  it.each<[string, object]>([
    ["error: unknown option '--effort'\n", { code: 'rejected', kind: 'bad_option', hint: /claude' update.*--effort/ }],
    [
      '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons\n',
      { code: 'rejected', kind: 'permission_blocked', hint: /IS_SANDBOX=1/ },
    ],
    [
      "error: option '--x <m>' argument 'zzz' is invalid. Allowed choices are a.",
      { code: 'rejected', kind: 'bad_option' },
    ],
    [
      'Error: piped stdin input exceeds 10MB. Pass large content as a file path in your prompt instead.',
      { code: 'invalid_request', param: 'messages', message: /10MB/ },
    ],
    ['Error: Invalid JSON provided to --settings\n', { code: 'rejected', kind: 'bad_option', hint: /extra_args/ }],
    ['env: ‘node’: No such file or directory\n', { code: 'upstream', kind: 'crashed' }],
  ])('says why: %s', async (stderr, expected) => {
    harness = await start();
    harness.script([{ stderr }, { exit: 1 }]);
    const failure = await harness.failure();
    for (const [field, value] of Object.entries(expected)) {
      const actual: unknown = failure[field as keyof typeof failure];
      if (value instanceof RegExp) expect(actual).toMatch(value);
      else expect(actual).toBe(value);
    }
  });

  it('because its time was up without a word says what it may have waited for', async () => {
    harness = await start();
    harness.script([HANG]);
    const abort = new AbortController();
    const chatting = harness.failure({}, { signal: abort.signal });
    await harness.cli.until(() => harness.chats.length === 1);
    abort.abort(Object.assign(new Error('late'), { code: 'timeout' }));
    await chatting;
    expect(harness.warnings).toEqual([expect.stringMatching(/^claude printed nothing .* permission_mode: ""/)]);
  });
});

describe('construction', () => {
  it('knows the cases in which the program refuses to run as root', () => {
    const mode = 'bypassPermissions';
    const way = /another user.*permission_mode: acceptEdits.*IS_SANDBOX=1/;
    expect([rootWarning(mode, {}, 0), rootWarning(mode, { IS_SANDBOX: 'true' }, 0)]).toEqual([
      expect.stringMatching(way),
      expect.stringMatching(way),
    ]);
    const sandboxes = [{ IS_SANDBOX: '1' }, { CLAUDE_CODE_BUBBLEWRAP: '1' }];
    expect(sandboxes.map((environment) => rootWarning(mode, environment, 0))).toEqual([undefined, undefined]);
    expect([rootWarning('acceptEdits', {}, 0), rootWarning(mode, {}, 1000)]).toEqual([undefined, undefined]);
    expect(rootWarning(mode, {}, undefined)).toBeUndefined();
  });

  it('warns of extra_args that clash, and passes them on in order', async () => {
    harness = await start({ permission_mode: '', extra_args: ['--output-format', 'text', '--debug'] });
    expect(harness.warnings).toEqual([expect.stringContaining('--output-format')]);
    await harness.chat();
    expect(harness.run.argv.slice(-3)).toEqual(['--output-format', 'text', '--debug']);
  });
});
