import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call, ChatRequest, Session } from 'drivebay/plugin';
import { type CliStep, HANG } from 'drivebay/testing';
import type { Options } from '../../../plugins/alpha-cli/environment';
import { tempFolder } from '../../setup/temp-folder';
import { until } from '../../setup/until';
import { stateIn, textOf, user, valueAfter, warmOf } from '../cli-harness';
import { says as say } from '../messages';
import { conversation, isSession, type Script, sentBy, textIn } from './conversation';
import { isHelp, start } from './harness';
import { SESSION_HELP } from './help';
import { assistant, init, result } from './lines';

const ID = '0cdb275d-cfdf-444e-8608-c2398c53c7c5';

let harness: Awaited<ReturnType<typeof start>>;
let config: string;
let answered: number;

beforeEach(() => {
  answered = 0;
  config = tempFolder();
  process.env.CLAUDE_CONFIG_DIR = config;
});
afterEach(async () => {
  delete process.env.CLAUDE_CONFIG_DIR;
  await harness.close();
});

/** Answers, after `more`, and writes to the session as the program does. */
function answers(text: string, more: CliStep[] = [], fields = {}): CliStep[] {
  const uuid = `message-${(answered += 1)}`;
  const file = join(config, 'projects/-work', `${ID}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ type: 'assistant', uuid, isSidechain: false })}\n`);
  const content = [{ type: 'text', text }];
  return [...more, assistant(content, { uuid, session_id: ID }), result(text, { session_id: ID, ...fields })];
}

async function open(script: Partial<Script> = {}, options: Partial<Options> = {}): Promise<void> {
  harness = await start({ warm: true, ...options });
  harness.script(
    () => answers('By a run.'),
    (run) => (isHelp(run) ? [SESSION_HELP] : undefined),
  );
  harness.cli.converse(conversation({ answer: (line) => answers(`${textIn(line)}!`), ...script }));
}

const FIRST = [say('system', 'Be brief.'), user('One')];
const NEXT = [...FIRST, say('assistant', 'One!'), user('Two')];

async function ask(messages = FIRST, more: Partial<Call> = {}, request: Partial<ChatRequest> = {}) {
  const events = await harness.chat({ messages, ...request }, { workspace: harness.workspace, ...more });
  const [state] = stateIn(events);
  return { text: textOf(events), warm: warmOf(events), session: { state: state!, holds: 3 } satisfies Session };
}

const kept = () => harness.open.kept.list().filter(({ state }) => state === 'conversation');
const chats = () => harness.chats;

test('the process that continues an agent finds its program, which hears the new words alone', async () => {
  await open();
  const first = await ask();
  expect(first).toMatchObject({ text: 'One!', warm: 'cold' });
  expect(kept()).toMatchObject([{ pid: harness.run.pid }]);
  const next = await ask(NEXT, { session: first.session });
  expect(next).toMatchObject({ text: 'Two!', warm: 'resumed' });
  expect(next.session.state).toEqual({ ...first.session.state, last: 'message-2' });
  expect(chats()).toHaveLength(1);
  expect(sentBy(harness.run).map(textIn)).toEqual(['One', 'Two']);
  const { argv, cwd } = harness.run;
  expect(argv.join(' ')).toMatch(
    /^-p --input-format stream-json --output-format stream-json .*--permission-mode bypass/,
  );
  expect([argv.includes('--no-session-persistence'), cwd]).toEqual([false, harness.workspace.workingDirectory]);
});

test('what is told of the cost is that of each process', async () => {
  let total = 0;
  await open({ answer: (line) => answers(textIn(line), [], { total_cost_usd: (total += 0.25) }) });
  const { session } = await ask();
  const events = await harness.chat({ messages: NEXT }, { workspace: harness.workspace, session });
  expect(events).toContainEqual(expect.objectContaining({ type: 'usage', costUsd: 0.25 }));
});

test('a program that is kept is no program of the process that has started it', async () => {
  await open();
  const abort = new AbortController();
  const first = await ask(FIRST, { signal: abort.signal });
  await harness.open.programs.ended(abort.signal);
  abort.abort(new Error('killed'));
  expect(await ask(NEXT, { session: first.session })).toMatchObject({ text: 'Two!', warm: 'resumed' });
  expect(chats()).toHaveLength(1);
});

const started = { type: 'system', subtype: 'task_started', task_id: 't' };
const ended = { type: 'system', subtype: 'task_updated', task_id: 't', patch: { end_time: 1 } };

test.each<[string, CliStep[], object]>([
  ['left a command in the background', [started], {}],
  ['has tool servers of the user, or left a program', [{ fork: {} }], {}],
  ['was cut short', [], { stop_reason: 'max_tokens' }],
])('a program that %s does not stay, and its session goes on in another one', async (_name, more, fields) => {
  await open({ answer: (line) => answers(`${textIn(line)}!`, more, fields) });
  const first = await ask();
  await harness.untilGone();
  expect(kept()).toEqual([]);
  expect(await ask(NEXT, { session: first.session })).toMatchObject({ text: 'Two!', warm: 'resumed' });
  expect(chats().map(({ argv }) => valueAfter(argv, '--resume'))).toEqual([undefined, ID]);
});

test('a program whose command in the background has ended stays', async () => {
  await open({ answer: (line) => answers(`${textIn(line)}!`, [started, ended]) });
  await ask();
  expect(kept()).toHaveLength(1);
});

test('a program that begins to work by itself ends', async () => {
  let wake = (): void => undefined;
  const woken = new Promise<void>((resolve) => (wake = resolve));
  await open({ answer: () => [...answers('Done.'), () => woken, init(), HANG] });
  await ask();
  expect(kept()).toHaveLength(1);
  wake();
  await until(() => kept().length === 0);
  await harness.untilGone();
});

test.each<[string, () => void, Partial<ChatRequest>]>([
  [
    'the memory of the project',
    () => writeFileSync(join(harness.workspace.workingDirectory!, 'CLAUDE.md'), 'Be kind.'),
    {},
  ],
  ['the settings of the user', () => writeFileSync(join(config, 'settings.json'), '{}'), {}],
  ['a tool server of the user', () => writeFileSync(join(config, '.claude.json'), '{"mcpServers":{"a":{}}}'), {}],
  ['the program', () => utimesSync(harness.cli.command, new Date(), new Date(Date.now() - 100_000)), {}],
  ['the effort', () => undefined, { reasoningEffort: 'high' }],
])(
  'with another state of %s a new program goes on with the session, when the old one has ended',
  async (_name, change, request) => {
    let before = 0;
    await open({
      answer(line, { argv }) {
        if (argv.includes('--resume')) before = harness.chats.filter((run) => !run.ended).length;
        return answers(`${textIn(line)}!`);
      },
    });
    const first = await ask();
    change();
    expect(await ask(NEXT, { session: first.session }, request)).toMatchObject({ text: 'Two!', warm: 'resumed' });
    expect(chats().map(({ argv }) => valueAfter(argv, '--resume'))).toEqual([undefined, ID]);
    expect(before).toBe(1);
  },
);

test('a session that has gone on in a run of its own is not that of the program any more', async () => {
  await open();
  const first = await ask();
  const reach = { kind: 'address', url: 'http://127.0.0.1:1/mcp', headers: {}, type: 'http' } as const;
  const toolServers = () => Promise.resolve([{ name: 'web', reach, timeoutMs: 1_000 }]);
  const workspace = { ...harness.workspace, toolServers };
  const second = await ask(NEXT, { session: first.session, workspace });
  expect(second).toMatchObject({ text: 'By a run.', warm: 'resumed' });
  await ask([...NEXT, say('assistant', 'By a run.'), user('Three')], { session: { ...second.session, holds: 5 } });
  expect(chats().map(({ argv }) => valueAfter(argv, '--resume'))).toEqual([undefined, ID, ID]);
});

test('a program that dies at its next turn costs time, and no answer', async () => {
  await open({
    answer: (line, run) => (run === chats()[0] && textIn(line) === 'Two' ? [{ exit: 3 }] : answers('Fine.')),
  });
  const first = await ask();
  expect(await ask(NEXT, { session: first.session })).toMatchObject({ text: 'Fine.' });
  expect(chats()).toHaveLength(2);
});

test.each([false, true])(
  'nothing is left of an agent that is killed, also in a program that was kept: %s',
  async (isNext) => {
    const abort = new AbortController();
    const hang = [{ ignore: 'SIGINT' }, () => abort.abort(new Error('killed')), HANG];
    await open({ answer: (line) => (isNext && textIn(line) === 'One' ? answers('One!') : hang) });
    const first = isNext ? await ask() : undefined;
    const killed = ask(isNext ? NEXT : FIRST, { signal: abort.signal, session: first?.session });
    await expect(killed).rejects.toMatchObject({ code: 'canceled' });
    expect(() => process.kill(harness.run.pid, 0)).toThrow('ESRCH');
  },
);

test('a prompt that the program answers itself ends its input, and the failure is that of a run', async () => {
  await open({ answer: () => [result('Blocked by a hook.', { num_turns: 0 })] });
  await expect(ask()).rejects.toMatchObject({ message: expect.stringContaining('Blocked by a hook.') as string });
  await harness.untilGone();
});

test('what the program asks of a user is refused', async () => {
  const question = { type: 'control_request', request_id: 'q1', request: { subtype: 'elicitation' } };
  await open({ answer: () => answers('Done.', [question]) });
  await ask();
  await harness.cli.until(() => sentBy(harness.run).length > 1);
  expect(sentBy(harness.run)[1]!.response).toMatchObject({ subtype: 'error', request_id: 'q1' });
});

test.each<[string, Partial<Options>, string, string]>([
  ['warm: false', { warm: false }, 'One', SESSION_HELP],
  ['keep_sessions: false', { keep_sessions: false }, 'One', SESSION_HELP],
  ['arguments that work against it', { extra_args: ['--output-format', 'text'] }, 'One', SESSION_HELP],
  ['a command of the program', {}, '/review', SESSION_HELP],
  ['a version that takes no lines', {}, 'One', SESSION_HELP.replace('--input-format', '')],
])('with %s the run is one of its own, and nothing is kept', async (_name, options, text, help) => {
  await open({}, options);
  harness.script(
    () => answers('By a run.'),
    (run) => (isHelp(run) ? [help] : undefined),
  );
  expect(await ask([user(text)])).toMatchObject({ text: 'By a run.', warm: undefined });
  expect([kept(), harness.cli.runs.filter(isSession)]).toEqual([[], []]);
});
