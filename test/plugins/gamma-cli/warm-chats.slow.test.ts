import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatRequest, Message } from 'drivebay/plugin';
import type { CliRunRecord } from 'drivebay/testing';
import { TempHome } from '../../setup/temp-home';
import { until } from '../../setup/until';
import { textOf, warmOf } from '../cli-harness';
import { says as say } from '../messages';
import { Acp, type AcpScript, isAcp, messagesOf, refusal, says, update } from './acp';
import { start } from './harness';

const before = process.env;

let harness: Awaited<ReturnType<typeof start>>;
let home: TempHome;
let acp: Acp;

beforeEach(() => {
  home = new TempHome();
  mkdirSync(join(home.directory, '.gemini'));
  process.env = { ...before, GEMINI_CLI_HOME: home.directory };
});

afterEach(async () => {
  await harness.driver.close();
  await harness.close();
  process.env = before;
  home.remove();
});

const COLD = [
  { type: 'message', role: 'assistant', content: 'Cold.', delta: true },
  { type: 'result', status: 'success', stats: {} },
];

async function open(script: AcpScript = {}, options: Parameters<typeof start>[0] = {}, program = 'gemini') {
  harness = await start({ warm: true, ...options }, {}, program);
  harness.script(COLD);
  acp = new Acp(script);
  harness.cli.converse(acp);
}

const programs = (): CliRunRecord[] => harness.cli.runs.filter(isAcp);
const kept = () => harness.open.kept.list();

/** Asks once, and waits for the program that the next chat finds. */
async function warmUp(): Promise<number> {
  expect(await ask('First')).toMatchObject({ text: 'Cold.', warm: 'cold' });
  return harness.untilReady();
}

async function ask(messages: string | Message[], more: Partial<ChatRequest> = {}, scope: string | undefined = 'one') {
  const all = typeof messages === 'string' ? [say('user', messages)] : messages;
  const events = await harness.chat({ messages: all, ...more }, { scope });
  return { text: textOf(events), warm: warmOf(events), events };
}

test('the first chat runs a program of its own, and all further ones have sessions of one that stays', async () => {
  await open();
  const pid = await warmUp();
  const [second, third] = await Promise.all([ask('Two', { model: 'a' }), ask('Three', { model: 'b' }, 'other')]);
  expect([second, third]).toMatchObject([
    { text: 'Two!', warm: 'hit' },
    { text: 'Three!', warm: 'hit' },
  ]);
  expect(second.events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  expect(acp.asked.map(({ prompt, model }) => [prompt, model]).sort()).toEqual([
    ['Three', 'b'],
    ['Two', 'a'],
  ]);
  expect(new Set(acp.asked.map((asked) => asked.sessionId)).size).toBe(2);
  expect(programs().map((run) => run.pid)).toEqual([pid]);
  expect(programs()[0]!.argv).toEqual(['--acp', '--extensions', 'none']);
});

test('Qwen Code keeps its flags, and the system prompt of each session', async () => {
  await open({}, { extra_args: ['--debug'] }, 'qwen');
  harness.script([{ type: 'result', subtype: 'success', is_error: false, result: 'Cold.' }]);
  await warmUp();
  await ask([say('system', 'Be brief'), say('user', 'Two')]);
  await ask([say('system', 'Be long'), say('user', 'Three')]);
  expect(acp.asked.map(({ prompt, system }) => [prompt, system])).toEqual([
    ['Two', 'Be brief'],
    ['Three', 'Be long'],
  ]);
  const { argv, env } = programs()[0]!;
  expect(argv.join(' ')).toMatch(/^--acp -m m --bare --exclude-tools \S+ --approval-mode default --debug$/);
  expect(env.QWEN_RUNTIME_DIR).toContain(await harness.open.context.scratch());
  expect(await ask('Four', { model: 'other' })).toMatchObject({ warm: 'cold' });
});

test('the system text of a client goes first in what Gemini CLI is asked', async () => {
  await open();
  await warmUp();
  await ask([say('system', 'Be brief'), say('user', 'Two')]);
  expect(acp.asked).toMatchObject([{ prompt: 'Be brief\n\nTwo', system: '' }]);
});

test('a session is ready before it is needed, and sessions are made one after the other', async () => {
  let answered = 0;
  const unanswered: number[] = [];
  await open({
    instead({ method }, run) {
      if (method !== 'session/new') return undefined;
      const sent = messagesOf(run).filter((message) => message.method === method).length;
      unanswered.push(sent - answered);
      answered += 1;
      return undefined;
    },
  });
  await warmUp();
  await ask('Two');
  await Promise.all([ask('Three', {}, 'a'), ask('Four', {}, 'b'), ask('Five', {}, 'c')]);
  await until(() => unanswered.length > 4);
  expect(unanswered.filter((count) => count > 1)).toEqual([]);
});

test('the session that is ready has the model of the last chat, and another one where a chat wants that', async () => {
  await open();
  await warmUp();
  await ask('Two', { model: 'm' });
  const told = () => messagesOf(programs()[0]!).map(({ method }) => method);
  await until(() => told().filter((method) => method === 'session/set_model').length === 2);
  const before = told().length;
  await ask('Three', { model: 'm' });
  expect(told()[before]).toBe('session/prompt');
  await ask('Four', { model: 'n' });
  await ask('Five', { model: undefined });
  expect(acp.asked.map(({ prompt, model }) => [prompt, model])).toEqual([
    ['Two', 'm'],
    ['Three', 'm'],
    ['Four', 'n'],
    ['Five', undefined],
  ]);
});

test('a conversation goes on in its session, which hears only what is new', async () => {
  await open();
  await warmUp();
  await ask('Two');
  const third = await ask([say('user', 'Two'), say('assistant', 'Two!'), say('user', 'Three')]);
  expect(third).toMatchObject({ text: 'Three!', warm: 'resumed' });
  const [one, other] = acp.asked;
  expect(other!.sessionId).toBe(one!.sessionId);
  expect(kept().filter(({ state }) => state === 'conversation')).toHaveLength(1);
});

/** Lets the program have a list of projects, as it has after its first session. */
async function knowProject(): Promise<string> {
  const scratch = await harness.open.context.scratch();
  const projects = { [join(scratch, 'warm')]: 'warm' };
  writeFileSync(join(home.directory, '.gemini/projects.json'), JSON.stringify({ projects }));
  return join(home.directory, '.gemini/tmp/warm/chats');
}

test('a conversation that no session holds is loaded, and nothing that repeats it is an answer', async () => {
  let file = '';
  await open({
    repeats: { before: 1, after: 1 },
    instead: ({ method }) => {
      if (method !== 'session/load') return undefined;
      const [name] = readdirSync(folder);
      file = readFileSync(join(folder, name!), 'utf8');
      return undefined;
    },
  });
  const folder = await knowProject();
  await warmUp();
  const messages = [say('system', 'Be brief'), say('user', 'Two'), say('assistant', '2.'), say('user', 'Three')];
  expect(await ask(messages)).toMatchObject({ text: 'Three!', warm: 'hit' });
  const [header, ...records] = file
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(header).toMatchObject({ sessionId: acp.asked[0]!.sessionId, kind: 'main' });
  expect(records).toMatchObject([
    { type: 'user', content: [{ text: 'Be brief\n\nTwo' }] },
    { type: 'gemini', content: '2.' },
  ]);
  expect(acp.asked).toMatchObject([{ prompt: 'Three' }]);
  expect(readdirSync(folder)).toEqual([]);
});

test.each<[string, Message[], string | undefined]>([
  ['of another client', [say('user', 'Two'), say('assistant', 'Two!'), say('user', 'Three')], 'other'],
  ['that was edited', [say('user', 'Two'), say('assistant', 'Two?'), say('user', 'Three')], 'one'],
  [
    'with a new instruction',
    [say('user', 'Two'), say('assistant', 'Two!'), say('system', 'Be'), say('user', 'T')],
    'one',
  ],
  ['without a client', [say('user', 'Two'), say('assistant', 'Two!'), say('user', 'Three')], undefined],
])('a conversation %s is not that of the session', async (_name, messages, scope) => {
  await open({ repeats: { before: 2 } });
  await knowProject();
  await warmUp();
  await harness.chat({ messages: [say('user', 'Two')] }, { scope: 'one' });
  const events = await harness.chat({ messages }, { scope });
  expect(warmOf(events)).toBe('hit');
  expect(new Set(acp.asked.map(({ sessionId }) => sessionId)).size).toBe(2);
});

test.each(['/memory show', ' /quit', '$x'])('%j is no command of the program', async (text) => {
  await open();
  await warmUp();
  expect(await ask(text)).toMatchObject({ text: 'Cold.', warm: 'cold' });
  expect(acp.asked).toEqual([]);
});

test.each<[string, AcpScript]>([
  [
    'makes no session',
    {
      instead: ({ id, method }) =>
        method === 'session/new' ? [refusal(id, { code: -32000, message: 'Authentication required' })] : undefined,
    },
  ],
  [
    'knows no model',
    {
      instead: ({ id, method }) =>
        method === 'session/set_model' ? [refusal(id, { code: -32601, message: 'no' })] : undefined,
    },
  ],
  ['ends at the prompt', { instead: ({ method }) => (method === 'session/prompt' ? [{ exit: 3 }] : undefined) }],
  [
    'was updated',
    {
      instead: ({ id, method }) => {
        const details = 'Qwen Code was updated in the background and needs to be restarted';
        return method === 'session/prompt'
          ? [refusal(id, { code: -32603, message: 'x', data: { details } })]
          : undefined;
      },
    },
  ],
])('a program that %s costs time, and no answer', async (_name, script) => {
  await open(script);
  const pid = await warmUp();
  expect(await ask('Two')).toMatchObject({ text: 'Cold.', warm: 'cold' });
  await harness.cli.until(() => programs().find((run) => run.pid === pid)!.ended);
  await harness.untilReady([pid]);
});

test('a program that never says that it is ready holds up no chat, and ends with the driver', async () => {
  await open({ instead: ({ method }) => (method === 'initialize' ? [] : undefined) });
  for (let count = 0; count < 3; count += 1) expect(await ask('One')).toMatchObject({ text: 'Cold.', warm: 'cold' });
  await until(() => programs().length === 1);
  await harness.driver.close();
  await harness.untilGone();
});

test('a program that cannot speak the protocol is tried three times', async () => {
  await open({ instead: ({ id, method }) => (method === 'initialize' ? [refusal(id, { code: -32601 })] : undefined) });
  for (let count = 0; count < 5; count += 1) {
    expect(await ask('One')).toMatchObject({ text: 'Cold.', warm: 'cold' });
    await until(() => programs().length >= Math.min(count + 1, 3) && programs().every(({ ended }) => ended));
  }
  expect(programs()).toHaveLength(3);
});

test.each([
  [
    { code: 429, message: 'Resource has been exhausted\nSuggested retry after 37s.' },
    { code: 'rate_limited', retryAfterS: 37 },
  ],
  [
    { code: 401, message: '{"error":{"code":401,"message":"API key not valid","status":"UNAUTHENTICATED"}}' },
    { kind: 'login_required', message: 'gemini: API key not valid' },
  ],
  [{ code: 500, message: 'models/x is not found for API version v1beta' }, { kind: 'model_unavailable' }],
  [
    { code: -32603, message: 'Internal error', data: { details: '401 Incorrect API key provided' } },
    { kind: 'login_required', message: 'gemini: Incorrect API key provided' },
  ],
])('the refusal %j is explained as that of a run', async (error, expected) => {
  await open({ instead: ({ id, method }) => (method === 'session/prompt' ? [refusal(id, error)] : undefined) });
  await warmUp();
  expect(await harness.failure({ messages: [say('user', 'Two')] })).toMatchObject(expected);
});

test('an answer that breaks off is an error, and one without a text, too', async () => {
  await open({
    answer: ({ prompt, sessionId, id }) =>
      prompt === 'Broken' ? [says(sessionId, 'Hel'), refusal(id, { code: 500, message: 'terminated' })] : [],
  });
  await warmUp();
  expect(await harness.failure({ messages: [say('user', 'Broken')] })).toMatchObject({ kind: 'truncated' });
  expect(await harness.failure({ messages: [say('user', 'Empty')] })).toMatchObject({ kind: 'empty' });
});

test('a client that leaves ends its turn, and no other one', async () => {
  await open({
    answer: ({ prompt, sessionId }) => (prompt === 'Stay' ? undefined : [says(sessionId, 'Hi')]),
  });
  const pid = await warmUp();
  const abort = new AbortController();
  const staying = harness.chat({ messages: [say('user', 'Stay')] }, { signal: abort.signal }).catch((e: unknown) => e);
  await until(() => acp.asked.length > 0);
  expect(await ask('Two')).toMatchObject({ text: 'Hi', warm: 'hit' });
  abort.abort(new Error('left'));
  expect(await staying).toMatchObject({ code: 'canceled' });
  const cancels = () => messagesOf(programs()[0]!).filter(({ method }) => method === 'session/cancel');
  await until(() => cancels().length > 0);
  expect(cancels().map(({ params }) => params.sessionId)).toEqual([acp.asked[0]!.sessionId]);
  expect(await ask('Three')).toMatchObject({ text: 'Hi', warm: 'hit' });
  expect(programs().map((run) => run.pid)).toEqual([pid]);
});

test('a program that is killed is told of as such by each of its chats', async () => {
  await open({
    instead: ({ method, params }) => (method === 'session/prompt' ? [says(params.sessionId, 'Hi')] : undefined),
  });
  const pid = await warmUp();
  let begun = 0;
  const chats = Array.from({ length: 5 }, async (_, index) => {
    const request = { model: 'm', stream: true, messages: [say('user', `Chat ${index}`)], extra: {} };
    for await (const { type } of harness.driver.chat(request, harness.call({ scope: `${index}` }))) {
      if (type === 'text' && (begun += 1) === 5) process.kill(pid, 'SIGKILL');
    }
  });
  for (const ended of await Promise.allSettled(chats)) {
    expect(ended).toMatchObject({ reason: { kind: 'crashed', message: expect.stringContaining('SIGKILL') } });
  }
});

test('what Gemini CLI writes of a turn tells its tokens, and goes with the answer', async () => {
  let folder = '';
  await open({
    answer: ({ sessionId }) => {
      mkdirSync(folder, { recursive: true });
      const tokens = { input: 1200, output: 3, cached: 1000, thoughts: 7, tool: 0, total: 1210 };
      const record = { id: 'm', type: 'gemini', content: 'Hi', tokens };
      const lines = [record, { ...record, content: 'Hi!' }].map((line) => JSON.stringify(line));
      writeFileSync(join(folder, `session-2026-11-23T06-38-${sessionId.slice(0, 8)}.jsonl`), lines.join('\n'));
      return [
        update(sessionId, { sessionUpdate: 'agent_thought_chunk', content: { text: 'Hm' } }),
        says(sessionId, 'Hi'),
      ];
    },
  });
  folder = await knowProject();
  await warmUp();
  const { events } = await ask('Two');
  expect(events.find(({ type }) => type === 'usage')).toEqual({
    ...{ type: 'usage', inputTokens: 1200, outputTokens: 10, cachedInputTokens: 1000, reasoningTokens: 7 },
  });
  expect(events.some(({ type }) => type === 'reasoning')).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

test('settings, a key and a program that change end the program that runs with the old ones', async () => {
  await open();
  const first = await warmUp();
  utimesSync(harness.cli.command, new Date(), new Date(Date.now() - 100_000));
  expect(await ask('Two')).toMatchObject({ warm: 'cold' });
  await harness.cli.until(() => programs().find((run) => run.pid === first)!.ended);
  const second = await harness.untilReady([first]);
  writeFileSync(join(home.directory, '.gemini/settings.json'), '{}');
  expect(await ask('Three')).toMatchObject({ warm: 'cold' });
  await harness.cli.until(() => programs().find((run) => run.pid === second)!.ended);
});

test.each([
  ['warm: false', { warm: false }, 'gemini'],
  ['no room', { warm_max: 0 }, 'gemini'],
  ['arguments that work against it', { extra_args: ['-o', 'json'] }, 'gemini'],
  ['its own tools', { gateway_tools: true }, 'gemini'],
  ['a program of another name', {}, 'my-wrapper'],
])('with %s every chat is a run of its own', async (_name, options, program) => {
  await open({}, options, program);
  harness.script(({ argv }) => (argv.includes('--help') ? ['--bare'] : COLD));
  await ask('One');
  await ask('Two');
  expect(programs()).toEqual([]);
});

test('nothing is left of a program when the driver closes', async () => {
  await open();
  await warmUp();
  await ask('Two');
  await harness.driver.close();
  expect(programs().every(({ ended }) => ended)).toBe(true);
  expect(readdirSync(await harness.open.context.scratch()).sort()).toEqual(['chat', 'warm']);
});
