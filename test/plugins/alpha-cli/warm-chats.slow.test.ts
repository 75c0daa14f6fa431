import { utimesSync } from 'node:fs';
import type { ChatEvent, ChatRequest, Message } from 'drivebay/plugin';
import { type CliRunRecord, HANG } from 'drivebay/testing';
import { until } from '../../setup/until';
import { textOf, warmOf } from '../cli-harness';
import { says as say } from '../messages';
import { accepts, conversation, isSession, refuses, type Script, sentBy, type SentLine, textIn } from './conversation';
import { start } from './harness';
import { SESSION_HELP } from './help';
import { isHelp } from './harness';
import { blockStart, delta, init, messageDelta, messageStart, messageStop, result, said } from './lines';

let harness: Awaited<ReturnType<typeof start>>;

afterEach(async () => {
  await harness.driver.close();
  await harness.close();
});

const says = (text: string, fields = {}) => [
  messageStart(),
  delta(text),
  messageDelta('end_turn'),
  messageStop(),
  result(text, fields),
];
/** Repeats what it was asked. */
const echo = (line: SentLine) => says(`${textIn(line)}!`);

async function open(script: Partial<Script> = {}, options: Parameters<typeof start>[0] = {}): Promise<void> {
  harness = await start({ warm: true, ...options });
  harness.script([init(), said('Cold.'), result('Cold.')], (run) => (isHelp(run) ? [SESSION_HELP] : undefined));
  harness.cli.converse(conversation({ answer: echo, ...script }));
}

const sessions = (): CliRunRecord[] => harness.cli.runs.filter(isSession);

async function ask(messages: string | Message[], more: Partial<ChatRequest> = {}, scope: string | undefined = 'one') {
  const all = typeof messages === 'string' ? [say('user', messages)] : messages;
  const events = await harness.chat({ messages: all, ...more }, { scope });
  return { text: textOf(events), warm: warmOf(events), events };
}

const usageOf = (events: ChatEvent[]) => events.findLast(({ type }) => type === 'usage');

const hasFinished = (events: ChatEvent[]) => events.at(-1)?.type === 'finish';

test('the first chat starts a program of its own, and the next one finds one that is ready', async () => {
  await open();
  expect(await ask('One')).toMatchObject({ text: 'Cold.', warm: 'cold' });
  const spare = await harness.untilReady();
  const second = await ask('Two');
  expect(second).toMatchObject({ text: 'Two!', warm: 'hit' });
  expect(hasFinished(second.events)).toBe(true);
  expect(sessions()[0]!.pid).toBe(spare);
  await harness.untilReady([spare]);
});

test('a program has the options of the provider in order, and none of its own tools', async () => {
  await open({}, { permission_mode: 'plan', extra_args: ['--debug', '--betas', 'x'] });
  await ask('One', { reasoningEffort: 'high' });
  await harness.untilReady();
  const { argv, env, cwd } = sessions()[0]!;
  expect(argv.join(' ')).toBe(
    '-p --tools  --allowed-tools mcp__drivebay_client --input-format stream-json --output-format stream-json --verbose' +
      ' --include-partial-messages --no-session-persistence --safe-mode --strict-mcp-config --permission-mode plan' +
      ' --model m --effort high --debug --betas x',
  );
  expect(env).toMatchObject({ CLAUDE_CODE_DISABLE_ATTACHMENTS: '1', MCP_TOOL_TIMEOUT: '100000000' });
  expect(cwd).toBe(await harness.open.context.scratch());
});

test('one program serves one conversation only, and starts with nothing of another', async () => {
  await open();
  await ask('One');
  const first = await harness.untilReady();
  await ask([say('system', 'Be brief'), say('user', 'Two')], { maxTokens: 7 }, 'a');
  const second = await harness.untilReady([first]);
  await ask('Three', {}, 'b');
  const [one, other] = [first, second].map((pid) => sessions().find((run) => run.pid === pid)!);
  expect(sentBy(one!).map(({ request }) => request?.subtype)).toEqual([
    ...['apply_flag_settings', 'initialize', 'apply_flag_settings', 'set_max_thinking_tokens', undefined],
  ]);
  expect(sentBy(one!)[1]!.request).toEqual({ subtype: 'initialize', systemPrompt: ['Be brief'] });
  expect(sentBy(one!)[2]!.request).toMatchObject({
    settings: { env: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '7', MAX_THINKING_TOKENS: '0' } },
  });
  expect(sentBy(other!).map(({ request }) => request)).toEqual([
    { subtype: 'apply_flag_settings', settings: {} },
    { subtype: 'initialize' },
    undefined,
  ]);
});

test('a conversation goes on in the program that holds it, which hears only what is new', async () => {
  await open();
  await ask('One');
  const pid = await harness.untilReady();
  await ask('Two');
  const third = await ask([say('user', 'Two'), say('assistant', 'Two!'), say('user', '/clear')]);
  expect(third).toMatchObject({ text: '\n/clear!', warm: 'resumed' });
  const run = sessions().find((each) => each.pid === pid)!;
  expect(
    sentBy(run)
      .filter(({ type }) => type === 'user')
      .map(textIn),
  ).toEqual(['Two', '\n/clear']);
});

test('an answer that a sequence stops before its first word is empty, and its program, which asks on, ends', async () => {
  const blank = [messageStart(), blockStart(), delta(' '), messageDelta('stop_sequence', {}, 'END'), messageStop()];
  await open({ answer: () => [...blank, ...says('More')] });
  await ask('One');
  await harness.untilReady();
  const { text, warm, events } = await ask('Two', { stop: ['END'] });
  const finish = { type: 'finish', reason: 'stop', stopSequence: 'END' };
  expect([text, warm, events.at(-1)]).toEqual([' ', 'hit', finish]);
  expect(sessions()[0]!.lines.filter((line) => line.includes('"{\\"stop_sequences\\":[\\"END\\"]}"'))).toHaveLength(1);
  expect(harness.open.kept.list().filter(({ state }) => state === 'conversation')).toEqual([]);
});

test('a conversation with a new instruction is not held by a program that did not get it', async () => {
  await open();
  await ask('One');
  const first = await harness.untilReady();
  await ask('Two');
  await harness.untilReady([first]);
  const messages = [say('user', 'Two'), say('assistant', 'Two!'), say('system', 'In French'), say('user', 'Three')];
  expect(await ask(messages)).toMatchObject({ text: 'Three!', warm: 'hit' });
});

test('what is told of the cost is that of each chat', async () => {
  let total = 0;
  await open({
    answer: (line) =>
      says(`${textIn(line)}!`, { total_cost_usd: (total += 0.25), usage: { input_tokens: 1, output_tokens: 2 } }),
  });
  await ask('One');
  await harness.untilReady();
  const second = await ask('Two');
  const third = await ask([say('user', 'Two'), say('assistant', 'Two!'), say('user', 'Three')]);
  expect([second, third].map(({ events }) => usageOf(events))).toEqual([
    expect.objectContaining({ outputTokens: 2, costUsd: 0.25 }),
    expect.objectContaining({ outputTokens: 2, costUsd: 0.25 }),
  ]);
});

test.each<[string, Message[], Partial<ChatRequest>, string | undefined]>([
  ['of another client', [say('user', 'Two'), say('assistant', 'Two!'), say('user', 'Three')], {}, 'other'],
  ['that was edited', [say('user', 'Two'), say('assistant', 'Two?'), say('user', 'Three')], {}, 'one'],
  ['with another limit', [say('user', 'Two'), say('assistant', 'Two!'), say('user', 'Three')], { maxTokens: 9 }, 'one'],
])('a conversation %s begins anew, with its turns', async (_name, messages, more, scope) => {
  await open();
  await ask('One');
  const first = await harness.untilReady();
  await ask('Two');
  const next = await harness.untilReady([first]);
  expect(await ask(messages, more, scope)).toMatchObject({ text: 'Three!', warm: 'hit' });
  const run = sessions().find(({ pid }) => pid === next)!;
  const turns = sentBy(run).filter(({ type }) => type === 'user' || type === 'assistant');
  expect(turns.map((line) => [line.type, textIn(line), line.shouldQuery])).toEqual([
    ['user', 'Two', false],
    ['assistant', textIn(turns[1]!), undefined],
    ['user', 'Three', undefined],
  ]);
});

test('what fits no turns is laid out as one text', async () => {
  await open();
  await ask('One');
  await harness.untilReady();
  const { text } = await ask([say('assistant', 'Hello'), say('user', 'Two')]);
  expect(text).toMatch(/<message role="assistant">[^]*Hello[^]*Two/);
});

test.each<[string, Partial<Script>]>([
  [
    'refuses a setting',
    { control: (line) => [line.request?.subtype === 'initialize' ? refuses(line) : accepts(line)] },
  ],
  ['ends at the request', { answer: () => [{ exit: 3 }] }],
])('a program that %s costs time, and no answer', async (_name, script) => {
  await open({ ...script, ...(script.answer && { control: (line) => [accepts(line)] }) });
  harness.cli.converse({
    isOne: isSession,
    answer: (text, run) => {
      const line = JSON.parse(text) as SentLine;
      if (line.type === 'control_request') return script.control?.(line, run) ?? [accepts(line)];
      return script.answer ? [{ exit: 3 }] : [HANG];
    },
  });
  await ask('One');
  await harness.untilReady();
  expect(await ask('Two')).toMatchObject({ text: 'Cold.', warm: 'cold' });
});

test.each<[string, Message[]]>([
  ['a chat', []],
  ['a chat that others had begun', [say('user', 'Earlier'), say('assistant', 'Said.')]],
])('a program that was ready and hangs since then holds up %s for a few seconds only', async (_name, earlier) => {
  await open();
  await ask('One');
  const pid = await harness.untilReady();
  process.kill(pid, 'SIGSTOP');
  const started = performance.now();
  expect(await ask([...earlier, say('user', 'Two')])).toMatchObject({ text: 'Cold.', warm: 'cold' });
  expect(performance.now() - started).toBeLessThan(10_000);
  await harness.cli.until(() => sessions()[0]!.ended);
});

test('a program that died while nobody needed it is not asked', async () => {
  await open();
  await ask('One');
  const pid = await harness.untilReady();
  process.kill(pid, 'SIGKILL');
  await until(() => harness.warnings.length > 0);
  expect(harness.open.kept.list()).toEqual([]);
  expect(await ask('Two')).toMatchObject({ text: 'Cold.', warm: 'cold' });
  expect(harness.warnings).toEqual([expect.stringMatching(/gone: claude was ended by SIGKILL/)]);
});

test('a program that dies while it holds a conversation is one warning, and the conversation goes on', async () => {
  await open();
  await ask('One');
  const pid = await harness.untilReady();
  await ask('Two');
  await harness.untilReady([pid]);
  process.kill(pid, 'SIGKILL');
  await until(() => harness.warnings.length > 0);
  const messages = [say('user', 'Two'), say('assistant', 'Two!'), say('user', 'Three')];
  expect(await ask(messages)).toMatchObject({ text: 'Three!', warm: 'hit' });
  expect(harness.warnings).toEqual([expect.stringMatching(/gone: claude was ended by SIGKILL/)]);
});

test('a program that was replaced is not used in its old version, nor for another model', async () => {
  await open();
  await ask('One');
  const first = await harness.untilReady();
  utimesSync(harness.cli.command, new Date(), new Date(Date.now() - 100_000));
  expect(await ask('Two')).toMatchObject({ warm: 'cold' });
  const second = await harness.untilReady([first]);
  expect(await ask('Three', { model: 'other' })).toMatchObject({ warm: 'cold' });
  await harness.untilReady([first, second]);
  expect(await ask('Four', { model: 'other' })).toMatchObject({ text: 'Four!', warm: 'hit' });
});

test('of eight chats at once one finds the program that is ready, and all are answered', async () => {
  await open();
  await ask('One');
  await harness.untilReady();
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => ask(`Chat ${index}`, {}, `${index}`)));
  expect(answers.map(({ warm }) => warm).sort()).toEqual([...Array<string>(7).fill('cold'), 'hit']);
  for (const { text, warm } of answers) expect(text).toMatch(warm === 'hit' ? /^Chat \d!$/ : /^Cold\.$/);
});

test('a program that never says that it is ready holds up no chat, and ends with the driver', async () => {
  await open({ control: () => [] });
  for (let count = 0; count < 3; count += 1) expect(await ask('One')).toMatchObject({ text: 'Cold.', warm: 'cold' });
  await harness.cli.until(() => sessions().length > 0);
  expect(sessions()).toHaveLength(1);
  await harness.driver.close();
  await harness.open.programs.close();
  await harness.untilGone();
});

test('a program that never becomes ready is tried three times', async () => {
  await open({ control: (line) => [refuses(line)] });
  for (let count = 0; count < 5; count += 1) {
    await ask('One');
    await until(() => sessions().length >= Math.min(count + 1, 3) && sessions().every(({ ended }) => ended));
  }
  expect(sessions()).toHaveLength(3);
  expect(harness.open.logged.filter(({ message }) => /kept ready/.test(message)).length).toBeLessThanOrEqual(3);
});

test('a chat that is cancelled ends its program', async () => {
  await open({ answer: () => [messageStart(), delta('Hel'), HANG] });
  await ask('One');
  const pid = await harness.untilReady();
  const abort = new AbortController();
  const chatting = harness.driver.chat(
    { model: 'm', stream: true, messages: [say('user', 'Two')], extra: {} },
    harness.call({ signal: abort.signal }),
  );
  await expect(
    (async () => {
      for await (const { type } of chatting) if (type === 'text') abort.abort(new Error('left'));
    })(),
  ).rejects.toMatchObject({ code: 'canceled' });
  await harness.cli.until(() => sessions().find((run) => run.pid === pid)!.ended);
});

test('an answer that fails says so, and its program is not used again', async () => {
  await open({
    answer: () => [init(), result('API Error: 529 Overloaded.', { is_error: true, api_error_status: 529 })],
  });
  await ask('One');
  const pid = await harness.untilReady();
  await expect(ask('Two')).rejects.toMatchObject({ kind: 'overloaded' });
  await harness.cli.until(() => sessions().find((run) => run.pid === pid)!.ended);
});

test('warnings of the program are in the log', async () => {
  const untilWarned = async () => {
    await until(() => harness.warnings.length > 0);
  };
  await open({ answer: (line) => [{ stderr: 'Warning: old model\n' }, untilWarned, ...echo(line)] });
  await ask('One');
  await harness.untilReady();
  await ask('Two');
  expect(harness.warnings).toContain('claude: Warning: old model');
});

test.each([
  ['warm: false', { warm: false }, SESSION_HELP],
  ['arguments that work against it', { extra_args: ['--output-format', 'text'] }, SESSION_HELP],
  ['a system prompt of the user', { extra_args: ['--system-prompt', 'Mine'] }, SESSION_HELP],
  ['a version that cannot', {}, SESSION_HELP.replace('--input-format', '')],
  ['its own tools', { gateway_tools: true }, SESSION_HELP],
])('with %s every chat is a run of its own, and nothing is kept', async (_name, options, help) => {
  await open({}, options);
  harness.script([init(), said('Cold.'), result('Cold.')], (run) => (isHelp(run) ? [help] : undefined));
  for (const text of ['One', 'Two']) expect(await ask(text)).toMatchObject({ text: 'Cold.', warm: undefined });
  expect([harness.open.kept.list(), sessions()]).toEqual([[], []]);
});

test('an agent process has a program of its own, with its tools and the configuration of the user', async () => {
  await open();
  await ask('One');
  const spare = await harness.untilReady();
  await harness.chat({}, { workspace: { skills: [], first: true } });
  const { pid, argv } = sessions().at(-1)!;
  expect(pid).not.toBe(spare);
  expect(['--tools', '--safe-mode', '--strict-mcp-config'].filter((flag) => argv.includes(flag))).toEqual([]);
});
