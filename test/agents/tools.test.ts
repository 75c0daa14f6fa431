import { runInThisContext } from 'node:vm';
import { Agents } from './agents';
import { type Action, say, script, use } from './scripted-agent';

let agents: Agents;

const manifest = (text: string) => ({ 'work/agent.yaml': text });
const toolNames = (text: string) => ((JSON.parse(text).tools ?? []) as { name: string }[]).map(({ name }) => name);
const TELL = script([{ tell: 'request' }]);

describe('the tools for a model', () => {
  // test/devices/tool-names.test.ts has the rules for the names.
  test('every device but its own provider', async () => {
    agents = Agents.open();
    const { text } = await agents.run(TELL);
    expect(toolNames(text)).toEqual(['llm_other', 'llm_plain', 'llm_cli', 'llm_bundler']);
    const [tool] = JSON.parse(text).tools;
    expect(tool).toMatchObject({
      description: 'Asks the language model "other" (o-1) and returns its answer.',
      parameters: { type: 'object', required: ['prompt'], additionalProperties: false },
    });
  });

  test.each([
    ['allowed_tools: []', []],
    ['allowed_tools: [/dev/llm/plain]', ['llm_plain']],
    ['allowed_tools: [plain, llm_cli]', ['llm_plain', 'llm_cli']],
    ['allowed_tools: [main]', ['llm_main']],
  ])('%s', async (line, names) => {
    agents = Agents.open({ files: manifest(line) });
    expect(toolNames((await agents.run(TELL)).text)).toEqual(names);
  });

  test('a driver without tools and an agent CLI are offered none', async () => {
    agents = Agents.open();
    for (const provider of ['plain', 'cli']) {
      expect(toolNames((await agents.run(TELL, { provider })).text)).toEqual([]);
    }
  });

  test('an unknown name and a list without effect are warnings', async () => {
    agents = Agents.open({ files: manifest('allowed_tools: [/dev/llm/plane]') });
    const file = `${agents.home.directory}/work/agent.yaml`;
    expect((await agents.run('hi')).notices).toEqual([
      `${file}:1:17: allowed_tools: there is no device "/dev/llm/plane"; did you mean /dev/llm/plain? ` +
        '(devices: /dev/llm/main, /dev/llm/other, /dev/llm/plain, /dev/llm/cli, /dev/llm/bundler)',
    ]);
    const [, cli] = (await agents.run('hi', { provider: 'cli' })).notices;
    expect(cli).toContain('has no effect on provider "cli": its program has tools of its own');
    expect(cli).toContain('what they may do is set in providers.yaml: may_do');
  });
});

test('a call runs the device, and the model goes on with the answer', async () => {
  agents = Agents.open();
  const ended = await agents.run(
    script([say('let me ask'), use('llm_other', { prompt: 'what?', system: 'be brief' })], [{ tell: 'request' }]),
  );
  const { messages } = JSON.parse(ended.text.slice('let me ask'.length));
  expect(messages.slice(1)).toEqual([
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'let me ask' },
        { type: 'tool_call', id: 'id-0', name: 'llm_other', arguments: '{"prompt":"what?","system":"be brief"}' },
      ],
    },
    { role: 'tool', parts: [{ type: 'tool_result', callId: 'id-0', content: [{ type: 'text', text: 'Hello' }] }] },
  ]);
  expect(ended.of('tool_call')).toMatchObject([{ step: 1, id: 'call_1', tool: 'llm_other', device: '/dev/llm/other' }]);
  expect(ended.of('tool_result')).toMatchObject([{ step: 1, id: 'call_1', text: 'Hello', isError: false }]);
  expect(ended.process.view).toMatchObject({ provider: 'main', usage: { inputTokens: 300 } });
  expect(ended.process.view.steps).toMatchObject([
    { step: 1, provider: 'main' },
    { step: 2, provider: 'other', model: 'o-1', call: 'call_1' },
    { step: 3, provider: 'main' },
  ]);
});

test('calls of one answer run side by side, and are answered in their order', async () => {
  agents = Agents.open();
  const meet = script([{ meet: 3 }, say('met')]);
  const calls = [0, 1, 2].map((index) => use('llm_other', { prompt: meet }, index));
  const ended = await agents.run(script(calls, [{ tell: 'request' }]));
  const { messages } = JSON.parse(ended.text) as { messages: { parts: { callId?: string }[] }[] };
  expect(messages.slice(2).map(({ parts }) => parts[0]?.callId)).toEqual(['id-0', 'id-1', 'id-2']);
});

test('many calls at once are no leak in the eyes of Node', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  // Jest has a process object of its own, which hears nothing.
  const node = runInThisContext('process') as NodeJS.Process;
  node.on('warning', note);
  agents = Agents.open();
  const meet = script([{ meet: 12 }, say('met')]);
  const calls = Array.from({ length: 12 }, (_, index) => use('llm_other', { prompt: meet }, index));
  const ended = await agents.run(script(calls, [say('done')]));
  node.off('warning', note);
  expect([ended.text, warnings]).toEqual(['done', []]);
});

test('signatures come back with the next step', async () => {
  agents = Agents.open();
  const ended = await agents.run(
    script(
      [
        { type: 'reasoning', text: 'hm' },
        { type: 'reasoning', text: '', extra: { blocks: [{ signature: 'abc' }] } },
        { ...use('llm_other', { prompt: 'what?' }), extra: { signature: 'def' } },
        { type: 'extra', delta: { further: 'x' } },
      ],
      [{ tell: 'request' }],
    ),
  );
  expect(JSON.parse(ended.text).messages[1]).toMatchObject({
    parts: [
      { type: 'reasoning', text: 'hm', extra: { blocks: [{ signature: 'abc' }] } },
      { type: 'tool_call', extra: { signature: 'def' } },
    ],
    extra: { further: 'x' },
  });
});

test.each([
  ['a device outside of allowed_tools', use('llm_cli', { prompt: 'x' }), 'allowed_tools does not list /dev/llm/cli'],
  ['a tool that does not exist', use('llm_nobody', {}), 'there is no tool "llm_nobody", only llm_other'],
])('%s is refused, and the process goes on', async (_what, call, refused) => {
  agents = Agents.open({ files: manifest('allowed_tools: [other]') });
  const ended = await agents.run(script([call], [say('all right')]));
  expect(ended.of('tool_call')).toMatchObject([{ refused }]);
  expect(ended.of('tool_result')).toMatchObject([{ text: `error: refused: ${refused}`, isError: true }]);
  expect([ended.text, ended.end?.state]).toEqual(['all right', 'done']);
});

test.each([
  ['no JSON', use('llm_other', '{"prompt": '), /^error: the arguments are not JSON: /],
  ['another type', use('llm_other', { prompt: 7 }), /^error: prompt: found the number 7, expected a text/],
  ['something missing', use('llm_other', ''), /^error: prompt: found nothing, expected a text/],
  ['an unknown field', use('llm_other', { prompt: 'x', depth: 1 }), /^error: the arguments: found the key "depth"/],
  [
    'a device that fails',
    use('llm_other', { prompt: script([{ fail: ['upstream', 'it broke'] }]) }),
    /^error: provider "other": it broke$/,
  ],
])('%s is the answer to the model, and the process goes on', async (_what, call, text) => {
  agents = Agents.open();
  const ended = await agents.run(script([call], [say('all right')]));
  expect(ended.of('tool_result')).toMatchObject([{ text: expect.stringMatching(text), isError: true }]);
  expect([ended.text, ended.end?.state]).toEqual(['all right', 'done']);
});

test('a model that is asked may ask another one, three levels deep', async () => {
  agents = Agents.open();
  const ask = (inner: string, index: number) =>
    script([use(index % 2 ? 'llm_main' : 'llm_other', { prompt: inner })], []);
  const nested = [3, 2, 1, 0].reduce(ask, script([say('deep')]));
  const ended = await agents.run(nested);
  const refusals = ended.of('tool_call').map(({ refused }) => refused);
  expect(refusals).toEqual([undefined, undefined, undefined, 'device calls go 3 levels deep and no further']);
});

test.each([
  ['a process has 50 steps', use('llm_nobody', {})],
  ['the steps of device calls count', use('llm_other', { prompt: 'hi' })],
])('%s', async (_rule, again) => {
  agents = Agents.open();
  const ended = await agents.run(script(...Array<Action[]>(60).fill([again])));
  expect(ended.process.view.steps).toHaveLength(50);
  expect(ended.end).toMatchObject({ state: 'failed', reason: 'step_limit', hint: expect.any(String) });
});

test('a conversation ends at 90 % of its context window', async () => {
  const providers = [
    '{ name: main, driver: talker, default_model: m, models: { m: { context_window: 122 }, n: { context_window: 123 } } }',
  ];
  agents = Agents.open({ providers });
  const intent = script([use('llm_nobody', {})], [say('done')]);
  const [over, within] = [
    await agents.run(intent, { provider: 'main' }),
    await agents.run(intent, { provider: 'main', model: 'n' }),
  ];
  expect(over.end).toMatchObject({
    reason: 'context_budget',
    message: 'the conversation has 110 tokens, and the context budget of "m" is 109',
  });
  expect(within.end?.state).toBe('done');
});

test('killing a process ends its device calls', async () => {
  agents = Agents.open();
  const process = agents.spawn(script([use('llm_other', { prompt: script([{ hang: true }]) })]));
  for await (const event of process.events()) if (event.type === 'step' && event.call) process.kill('killed');
  expect(await process.ended).toMatchObject({ state: 'killed' });
});
