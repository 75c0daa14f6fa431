import type { ChatEvent, ChatRequest, Message, Tool } from 'drivebay/plugin';
import { type CliRunRecord, HANG } from 'drivebay/testing';
import { result as resultOf, says } from '../messages';
import { textOf } from '../cli-harness';
import { accepts, asksFor, conversation, isSession, type Script, sentBy, toolsIn } from './conversation';
import { isHelp, start } from './harness';
import { SESSION_HELP } from './help';
import {
  blockStop,
  calls,
  delta,
  init,
  messageDelta,
  messageStart,
  messageStop,
  result,
  resulted,
  said,
} from './lines';

let harness: Awaited<ReturnType<typeof start>>;
afterEach(async () => {
  await harness.driver.close();
  await harness.close();
});

type Fields = Record<string, unknown>;
const USAGE = { input_tokens: 3, output_tokens: 4 };

/** The model says something, and calls the tools with these ids. */
const message = (...ids: string[]) => [
  messageStart(`msg_${ids.join('_')}`),
  delta('Looking.'),
  blockStop(),
  ...ids.flatMap((id) => [...calls(id, 'look', { of: id }), asksFor(id, 'look', { of: id }), blockStop()]),
  messageDelta('tool_use', USAGE),
  messageStop(),
];

const done = (text: string, fields: Fields = {}) => [
  messageStart('msg_end'),
  delta(text),
  messageDelta('end_turn', USAGE),
  messageStop(),
  result(text, { num_turns: 3, total_cost_usd: 0.5, usage: { input_tokens: 6, output_tokens: 8 }, ...fields }),
];

/** Answers when it has all results. */
function answersAfter(count: number, run = done): NonNullable<Script['result']> {
  const got = new Map<CliRunRecord, string[]>();
  return (id, content, of) => {
    const all = [...(got.get(of) ?? []), `${id} ${content.map(({ text, mimeType }) => text ?? mimeType).join()}`];
    got.set(of, all);
    return [resulted(id, content), ...(all.length === count ? run(all.join('; ')) : [])];
  };
}

async function open(script: Partial<Script> = {}, options: Parameters<typeof start>[0] = {}): Promise<void> {
  harness = await start({ warm: false, ...options });
  harness.script([init(), said('Cold.'), result('Cold.')], (run) => (isHelp(run) ? [SESSION_HELP] : undefined));
  harness.cli.converse(conversation({ answer: () => message('t1', 't2'), result: answersAfter(2), ...script }));
}

const tools: Tool[] = [{ name: 'look', parameters: { type: 'object', properties: {} } }];
const question = [says('user', 'Look')];

type CallEvent = Extract<ChatEvent, { type: 'tool_call' }>;
const callsIn = (events: ChatEvent[]) => events.filter((event): event is CallEvent => event.type === 'tool_call');

async function ask(messages: Message[], more: Partial<ChatRequest> = {}, scope: string | null = 'one') {
  const events = await harness.chat({ messages, tools, ...more }, { scope: scope ?? undefined });
  const warm = events.flatMap((event) => (event.type === 'meta' && event.warm ? [event.warm] : []))[0];
  const usage = events.findLast(({ type }) => type === 'usage');
  return { text: textOf(events), calls: callsIn(events), finish: events.at(-1), warm, usage, events };
}

type Asked = Awaited<ReturnType<typeof ask>>;

const answered = (messages: Message[], { text, calls: made }: Asked, ...results: string[]): Message[] => [
  ...messages,
  {
    role: 'assistant',
    parts: [
      { type: 'text', text },
      ...made.map(
        ({ id, name, arguments: args }) => ({ type: 'tool_call', id: id!, name: name!, arguments: args! }) as const,
      ),
    ],
  },
  ...results.map((value, index) => resultOf(made[index]!.id!, value)),
];

const sessions = () => harness.cli.runs.filter(isSession);
const waiting = () => harness.open.kept.list().filter(({ state }) => state === 'waiting');
const bodiesOf = (run: CliRunRecord): unknown[] =>
  sentBy(run).flatMap(({ request }) => {
    const { env } = (request?.settings ?? {}) as { env?: { CLAUDE_CODE_EXTRA_BODY?: string } };
    return env?.CLAUDE_CODE_EXTRA_BODY === undefined ? [] : [JSON.parse(env.CLAUDE_CODE_EXTRA_BODY)];
  });

test('the calls of a message come in one answer, and their results go on in the same turn', async () => {
  await open();
  const first = await ask(question);
  expect(first).toMatchObject({ text: 'Looking.', warm: 'cold', finish: { type: 'finish', reason: 'tool_calls' } });
  expect(first.calls).toEqual(
    ['t1', 't2'].map((id, index) => ({
      ...{ type: 'tool_call', index, id: expect.stringMatching(/^call_\w{32}$/), name: 'look' },
      arguments: JSON.stringify({ of: id }),
    })),
  );
  expect(waiting()).toHaveLength(1);
  const second = await ask(answered(question, first, 'one', 'two'));
  expect(second).toMatchObject({ text: 't1 one; t2 two', warm: 'resumed', finish: { reason: 'stop' } });
  expect([sessions().length, waiting()]).toEqual([1, []]);
  expect([first.usage, second.usage]).toEqual([
    expect.objectContaining({ inputTokens: 3, outputTokens: 4, costUsd: 0 }),
    expect.objectContaining({ inputTokens: 3, outputTokens: 4, costUsd: 0.5 }),
  ]);
  expect(first.events.some(({ type }) => type === 'activity')).toBe(false);
});

test('a program that tells of one call at a time has one answer for each', async () => {
  await open({
    answer: () => [
      ...[messageStart(), ...calls('t1', 'look'), asksFor('t1', 'look'), ...calls('t2', 'look')],
      ...[messageDelta('tool_use'), messageStop()],
    ],
    result: (id, content) => [resulted(id, content), ...(id === 't1' ? [asksFor('t2', 'look')] : done('Both.'))],
  });
  const first = await ask(question);
  expect(first.calls).toHaveLength(1);
  const messages = answered(question, first, 'one');
  const second = await ask(messages);
  expect([second.calls.length, second.warm]).toEqual([1, 'resumed']);
  expect(await ask(answered(messages, second, 'two'))).toMatchObject({ text: 'Both.', warm: 'resumed' });
});

test('a stream that breaks off behind a call has the call all the same', async () => {
  await open({ answer: () => [messageStart(), ...calls('t1', 'look'), asksFor('t1', 'look'), blockStop()] });
  expect((await ask(question)).calls).toHaveLength(1);
});

test('a version that puts the name of its server before that of a tool has the tools all the same', async () => {
  const prefixed = [...calls('t1', 'mcp__drivebay_client__a_b_2e7336dc'), asksFor('t1', 'a_b_2e7336dc')];
  await open({ answer: () => [messageStart(), ...prefixed, blockStop(), messageDelta('tool_use'), messageStop()] });
  expect((await ask(question, { tools: [{ name: 'a.b' }] })).calls).toMatchObject([{ name: 'a.b' }]);
});

test('what the program corrects by itself is not seen by the client', async () => {
  await open({
    answer: () => [
      ...[messageStart('m1'), ...calls('bad', 'nothing'), messageDelta('tool_use'), messageStop()],
      ...[resulted('bad', 'No such tool', { is_error: true }), ...message('t1', 't2')],
    ],
  });
  expect((await ask(question)).calls.map(({ arguments: args }) => args)).toEqual(['{"of":"t1"}', '{"of":"t2"}']);
});

const wholeTurns = (run: CliRunRecord) =>
  sentBy(run)
    .filter(({ type }) => type === 'user' || type === 'assistant')
    .map(({ type, shouldQuery, message: { content } = { content: [] } }) => [
      ...[type, shouldQuery],
      (content as Fields[]).map((block) => block.type),
    ]);

test.each<[string, (messages: Message[]) => Message[], Partial<ChatRequest>, string | null]>([
  ['an edited history', ([, ...rest]) => [says('user', 'Look!'), ...rest], {}, 'one'],
  ['other tools', (messages) => messages, { tools: [...tools, { name: 'more' }] }, 'one'],
  ['another model', (messages) => messages, { model: 'other' }, 'one'],
  ['another client', (messages) => messages, {}, 'two'],
  ['no client that is known', (messages) => messages, {}, null],
  ['a text behind the results', (messages) => [...messages, says('user', 'And?')], {}, 'one'],
])('with %s the conversation is told anew, in its turns', async (_name, edit, more, scope) => {
  await open();
  const first = await ask(question);
  harness.cli.converse(conversation({ answer: () => done('Anew.') }));
  const messages = edit(answered(question, first, 'one', 'two'));
  expect(await ask(messages, more, scope)).toMatchObject({ text: 'Anew.', warm: 'cold' });
  const last = messages.length > 4 ? ['tool_result', 'tool_result', 'text'] : ['tool_result', 'tool_result'];
  expect(wholeTurns(sessions()[1]!)).toEqual([
    ['user', false, ['text']],
    ['assistant', undefined, ['text', 'tool_use', 'tool_use']],
    ['user', undefined, last],
  ]);
  // Only the client whose program it is ends it.
  expect(waiting()).toHaveLength(scope === 'one' ? 0 : 1);
});

test('two equal requests with results at once are both answered, and one of them anew', async () => {
  await open();
  const first = await ask(question);
  const messages = answered(question, first, 'one', 'two');
  harness.cli.converse(conversation({ answer: () => done('Anew.'), result: answersAfter(2) }));
  const both = await Promise.all([ask(messages), ask(messages)]);
  expect(both.map(({ warm }) => warm).sort()).toEqual(['cold', 'resumed']);
});

test('half of the results are refused, and the program goes on waiting', async () => {
  await open();
  const first = await ask(question);
  await expect(ask(answered(question, first, 'one'))).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await ask(answered(question, first, 'one', 'two'))).toMatchObject({ warm: 'resumed' });
});

test('a program that died while it waited costs time, and no answer', async () => {
  await open();
  const first = await ask(question);
  process.kill(waiting()[0]!.pid!, 'SIGKILL');
  await harness.cli.until(() => sessions()[0]!.ended);
  harness.cli.converse(conversation({ answer: () => done('Anew.') }));
  expect(await ask(answered(question, first, 'one', 'two'))).toMatchObject({ text: 'Anew.', warm: 'cold' });
});

test('a program that dies over the results, before a word, costs time, and no answer', async () => {
  await open({ result: () => [{ exit: 3 }] });
  const first = await ask(question);
  const messages = answered(question, first, 'one', 'two');
  harness.cli.converse(
    conversation({ answer: () => done('Anew.'), result: () => [resulted('t1', 'one'), { exit: 3 }] }),
  );
  expect((await ask(messages)).text).toBe('Anew.');
});

test.each(['apply_flag_settings', 'initialize', 'the message'])(
  'a program that is killed at %s, and was started for the chat, is told of as such',
  async (last) => {
    const die = [{ die: 'SIGKILL' as const }];
    await open({ answer: () => die, control: (line) => (line.request?.subtype === last ? die : [accepts(line)]) });
    const hint = 'the system may have run out of memory';
    const message = 'claude was ended by SIGKILL';
    await expect(ask(question)).rejects.toMatchObject({ code: 'upstream', kind: 'crashed', message, hint });
  },
);

test('a program that no longer answers to a setting costs time, and no answer', async () => {
  let isHung = false;
  await open({ control: (line) => (isHung ? [] : [accepts(line)]) });
  const first = await ask(question, { toolChoice: { type: 'required' } });
  isHung = true;
  harness.cli.converse(conversation({ answer: () => done('Anew.') }));
  // The choice was for one answer only, so the results come with a setting.
  expect(await ask(answered(question, first, 'one', 'two'))).toMatchObject({ text: 'Anew.', warm: 'cold' });
  await harness.cli.until(() => sessions()[0]!.ended);
});

test('a program is ended by a signal while it waits, because it would go on at the end of its input', async () => {
  await open();
  await ask(question);
  harness.open.kept.close();
  await harness.cli.until(() => sessions()[0]!.ended);
  expect(sessions()[0]!.stdin).toBeUndefined();
});

test('a client that leaves before the end of the answer ends the program', async () => {
  await open({ answer: () => [messageStart(), delta('Loo'), HANG] });
  const abort = new AbortController();
  const chatting = harness.driver.chat(
    { model: 'm', stream: true, messages: question, tools, extra: {} },
    harness.call({ signal: abort.signal, scope: 'one' }),
  );
  await expect(
    (async () => {
      for await (const { type } of chatting) if (type === 'text') abort.abort(new Error('left'));
    })(),
  ).rejects.toMatchObject({ code: 'canceled' });
  await harness.cli.until(() => sessions()[0]!.ended);
});

test('a client that leaves when it has the calls ends nothing', async () => {
  await open();
  const abort = new AbortController();
  const events = await harness.chat({ messages: question, tools }, { scope: 'one', signal: abort.signal });
  abort.abort(new Error('left'));
  const first = { text: textOf(events), calls: callsIn(events) } as Asked;
  expect(await ask(answered(question, first, 'one', 'two'))).toMatchObject({ text: 't1 one; t2 two', warm: 'resumed' });
});

test('the ninth program that waits takes the place of the first, whose client is told anew', async () => {
  await open();
  const asked = Array.from({ length: 9 }, (_, index) => [says('user', `Look ${index}`)]);
  const first = [];
  for (const messages of asked) first.push(await ask(messages));
  expect(waiting()).toHaveLength(8);
  await harness.cli.until(() => sessions()[0]!.ended);
  harness.cli.converse(conversation({ answer: () => done('Anew.'), result: answersAfter(2) }));
  expect(await ask(answered(asked[0]!, first[0]!, 'one', 'two'))).toMatchObject({ text: 'Anew.', warm: 'cold' });
  const second = await ask(answered(asked[1]!, first[1]!, 'one', 'two'));
  expect(second).toMatchObject({ text: 't1 one; t2 two', warm: 'resumed' });
});

test('nothing is left of programs that wait, hold a conversation and are ready', async () => {
  await open({}, { warm: true });
  for (const scope of ['a', 'b', 'c']) await ask(question, {}, scope);
  harness.cli.converse(conversation({ answer: () => done('Hello.') }));
  // A run of its own, without a program that is ready, holds no conversation.
  await harness.untilReady();
  for (const scope of ['d', 'e']) await ask(question, { tools: undefined }, scope);
  await harness.untilReady();
  const states = harness.open.kept.list().map(({ state }) => state);
  expect(new Set(states)).toEqual(new Set(['waiting', 'conversation', 'spare']));
  await harness.driver.close();
  harness.open.kept.close();
  await harness.untilGone();
});

test('a schema of the answer reaches the model, for one answer, with and without tools', async () => {
  await open({ answer: () => done('{}') });
  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  const responseFormat: ChatRequest['responseFormat'] = { type: 'json_schema', name: 'place', schema };
  const format = { output_config: { format: { type: 'json_schema', schema } } };
  await ask([says('user', 'Where?')], { responseFormat });
  await ask([says('user', 'Where now?')], { responseFormat, tools: [] });
  const third = await ask([says('user', 'Where then?')], { responseFormat: { type: 'json_object' }, tools: [] });
  expect(sessions().map((run) => bodiesOf(run))).toEqual([[format], [format]]);
  expect(third.events[0]).toEqual({ type: 'meta', ignored: ['response_format'] });
});

test('a sequence that ends an answer holds for the request that it came with', async () => {
  await open();
  const first = await ask(question, { stop: ['END'] });
  const second = await ask(answered(question, first, 'one', 'two'));
  expect([first.warm, second.warm]).toEqual(['cold', 'resumed']);
  expect(sessions().map((run) => bodiesOf(run))).toEqual([[{ stop_sequences: ['END'] }, {}]]);
});

test('a choice is forced for one answer, without thoughts, and others are told as they are', async () => {
  await open();
  const toolChoice = { type: 'tool', name: 'look' } as const;
  const first = await ask(question, { toolChoice });
  await ask(answered(question, first, 'one', 'two'));
  const [run] = sessions();
  expect(bodiesOf(run!)).toEqual([{ tool_choice: toolChoice }, {}]);
  const sent = sentBy(run!);
  expect(sent.map(({ request }) => request)).toContainEqual({
    subtype: 'set_max_thinking_tokens',
    max_thinking_tokens: 0,
  });
  const freed = sent.findIndex(({ request }) => JSON.stringify(request ?? '').includes('"{}"'));
  const given = sent.findIndex(({ response }) => response?.request_id === 't1');
  expect(freed).toBeLessThan(given);
});

test('names, schemas and descriptions arrive in a form that every version takes', async () => {
  await open();
  const odd: Tool[] = [
    {
      name: 'a.b c',
      description: 'd'.repeat(5000),
      parameters: { anyOf: [{ type: 'object', properties: { a: {} } }] },
    },
    ...['ToolSearch', '__proto__', 'constructor'].map((name) => ({ name })),
    { name: 'x'.repeat(100), parameters: { type: 'string' } },
  ];
  await ask(question, { tools: odd });
  const listed = toolsIn(sessions()[0]!);
  expect(listed.map(({ inputSchema }) => (inputSchema as Fields).type)).toEqual(odd.map(() => 'object'));
  for (const { name, description = '', annotations, _meta } of listed) {
    expect(name).toMatch(/^(?!(?:ToolSearch|__proto__|constructor)$)[\w-]{1,64}$/);
    expect(String(description).length).toBeLessThanOrEqual(2048);
    expect(annotations).toEqual({ readOnlyHint: true });
    expect(_meta).toEqual({ 'anthropic/maxResultSizeChars': 500_000 });
  }
  const [named] = listed;
  harness.cli.converse(
    conversation({
      answer: () => [
        ...[messageStart(), ...calls('t1', String(named!.name)), asksFor('t1', String(named!.name)), blockStop()],
        ...[messageDelta('tool_use'), messageStop()],
      ],
    }),
  );
  expect((await ask(question, { tools: odd })).calls.map(({ name }) => name)).toEqual(['a.b c']);
});

test('results may be images, and what a program would not take whole is told anew', async () => {
  await open();
  const image = { type: 'image', url: 'data:image/png;base64,AAAA' } as const;
  const first = await ask(question);
  const [one, other] = first.calls.map(({ id }) => id!);
  const shown: Message = { role: 'tool', parts: [{ type: 'tool_result', callId: one!, content: [image] }] };
  const messages = [...answered(question, first), shown, resultOf(other!, '')];
  expect((await ask(messages)).text).toBe('t1 image/png; t2 ');
  const again = await ask(question);
  harness.cli.converse(conversation({ answer: () => done('Anew.') }));
  const long = answered(question, again, 'x'.repeat(500_001), 'two');
  expect(await ask(long)).toMatchObject({ text: 'Anew.', warm: 'cold' });
});

test.each<[string, Partial<ChatRequest>, string]>([
  ['two tools of one name', { tools: [...tools, ...tools] }, 'tools[1]'],
  ['a choice of a tool that is not there', { toolChoice: { type: 'tool', name: 'other' } }, 'tool_choice'],
  ['a choice in a form of its own', { toolChoice: { type: 'other', value: {} } }, 'tool_choice'],
  ['a result without a call', { messages: [...question, resultOf('x', 'y')] }, 'messages[1]'],
])('%s is refused before a program starts', async (_name, more, param) => {
  await open();
  await expect(ask(question, more)).rejects.toMatchObject({ code: 'invalid_request', param });
  expect(harness.chats.filter((run) => !isHelp(run))).toEqual([]);
});

test.each([
  ['a version that cannot', {}, SESSION_HELP.replace('--input-format', '')],
  ['arguments that work against it', { extra_args: ['--system-prompt', 'Mine'] }, SESSION_HELP],
])('with %s a request with tools is refused, and says what to do', async (_name, options, help) => {
  await open({}, options);
  harness.script([init()], (run) => (isHelp(run) ? [help] : undefined));
  await expect(ask(question)).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'tools',
    hint: expect.any(String),
  });
});

test('where the program does not tell what it can, a request with tools fails, and is no mistake of the client', async () => {
  await open();
  harness.script([init()], (run) => (isHelp(run) ? [{ exit: 3 }] : undefined));
  await expect(ask(question)).rejects.toMatchObject({
    code: 'upstream',
    kind: 'spawn_failed',
    hint: expect.any(String),
  });
});

test('a program that cannot start says why', async () => {
  await open({ control: () => [{ stderr: 'Invalid API key · Please run /login\n' }, { exit: 1 }] });
  await expect(ask(question)).rejects.toMatchObject({ kind: 'login_required' });
});

test('with client_tools: false nothing is different from before', async () => {
  await open({}, { client_tools: false });
  const { text, warm } = await ask([...question, resultOf('x', 'y')], { tools: undefined });
  expect([text, warm]).toEqual(['Cold.', undefined]);
  const image = { type: 'image', url: 'data:image/png;base64,AAAA' } as const;
  await expect(ask([{ role: 'user', parts: [image] }], { tools: undefined })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  expect(sessions()).toEqual([]);
});
