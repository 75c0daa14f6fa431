import { Anthropic } from '@anthropic-ai/sdk';
import type { ChatEvent, ChatRequest } from 'drivebay/plugin';
import { json } from '../../setup/upstream';
import { chatRequest, newCall } from '../harness';
import { mendTurns } from '../../../plugins/eta/mend-turns';
import { ETA, useVendor } from '../vendors';
import { begin, callBlock, end, event, message, refusal, stream, textBlock, thinkingBlock } from './wire';

const harness = useVendor(ETA);

const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const headers = {
  'anthropic-version': '2023-06-01',
  'anthropic-beta': 'context-management-2025-06-27,effort-2025-11-24',
};

/** What an agent program of this wire sends, in its order. */
const BODY = {
  model: 'claude-asked-for',
  messages: [
    { role: 'user', content: [{ type: 'text', text: '<system-reminder>é</system-reminder>' }, { type: 'text', text: 'Go' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Look', signature: 'U0lH' },
        { type: 'tool_use', id: 'toolu_1', name: 'mcp__server__tool', input: { b: 1, a: [0.1] } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: 'Exit code 3', ...mark }] },
    { role: 'system', content: 'The list of agents' },
  ],
  system: [{ type: 'text', text: 'x-anthropic-billing-header: cc_version=2;' }, { type: 'text', text: 'Be brief', ...mark }],
  tools: [{ name: 'mcp__server__tool', input_schema: { $schema: 's', type: 'object', properties: {} }, defer_loading: true }],
  metadata: { user_id: '{"session_id":"s"}' },
  max_tokens: 32_000,
  thinking: { type: 'adaptive' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  output_config: { effort: 'high' },
  brand_new: null,
  stream: true,
}; // prettier-ignore

const asked = (body: Record<string, unknown> = BODY, fields: Partial<ChatRequest> = {}): Partial<ChatRequest> => ({
  stream: body.stream === true,
  origin: { api: 'messages', body, headers },
  ...fields,
});

/** The body that reaches the vendor. */
async function sent(fields: Partial<ChatRequest>) {
  harness().upstream.answer(json(message()));
  return harness().sent(fields);
}

const natives = (events: ChatEvent[]) => events.flatMap((each) => (each.type === 'native' ? [each.value] : []));
const others = (events: ChatEvent[]) => events.filter(({ type }) => type !== 'native' && type !== 'meta');

test('the body and the betas arrive byte for byte as in a direct call, but for the model', async () => {
  const { upstream } = harness();
  upstream.answer(stream(textBlock(0, 'x')));
  const direct = new Anthropic({ apiKey: 'sk-1', baseURL: upstream.url });
  await direct.post('/v1/messages', { body: { ...BODY, model: 'm' }, headers }).asResponse();
  await harness().chat(asked());
  const [wanted, arrived] = upstream.requests;
  expect(arrived!.text).toBe(wanted!.text);
  for (const name of Object.keys(headers)) expect(arrived!.headers[name]).toBe(wanted!.headers[name]);
});

test('a stream comes as it is, each piece before the events that say the same', async () => {
  const pieces = [
    begin,
    event('ping'),
    ...thinkingBlock(0, 'SIG', 'Hm'),
    ...textBlock(1, 'Hi'),
    ...callBlock(2, 't1', 'f', '{"a":', '1}'),
    end('tool_use'),
  ];
  harness().upstream.answer(stream(pieces.slice(2, -1), 'tool_use'));
  const events = await harness().chat(asked());
  const data = pieces.join('').matchAll(/^data: (.*)$/gm);
  expect(natives(events)).toEqual([...data].map(([, text]) => JSON.parse(text!) as unknown));
  expect(events[0]!.type).toBe('native');
  harness().upstream.answer(stream(pieces.slice(2, -1), 'tool_use'));
  expect(others(events)).toEqual(others(await harness().chat({ stream: true })));
});

test('a whole answer comes as it is', async () => {
  const answer = message();
  harness().upstream.answer(json(answer));
  const events = await harness().chat(asked({ ...BODY, stream: undefined }));
  expect(events[0]).toEqual({ type: 'native', value: answer });
  expect(others(events).map(({ type }) => type)).toEqual(['text', 'usage', 'finish']);
});

test.each([
  ['a stream', true, json(message())],
  ['one body', false, stream(textBlock(0, 'Hi'))],
])(
  'an answer in another form than %s says the same, without what the client could not read',
  async (_, wanted, given) => {
    harness().upstream.answer(given);
    const events = await harness().chat(asked({ ...BODY, stream: wanted }));
    expect(natives(events)).toEqual([]);
    expect(others(events)).toContainEqual({ type: 'text', text: 'Hi' });
  },
);

test('a request in another wire brings no native events', async () => {
  harness().upstream.answer(json(message()));
  const origin = { api: 'responses' as const, body: { input: 'x' }, headers: {} };
  expect(natives(await harness().chat({ origin }))).toEqual([]);
});

describe('where the client set none', () => {
  const plain = { model: 'x', messages: [{ role: 'user', content: 'Hi' }] };

  test('the driver sets its breakpoints', async () => {
    const tools = [{ name: 'a', input_schema: {} }];
    const messages = [{ role: 'user', content: 'One' }, { role: 'assistant', content: 'Two' }, ...plain.messages];
    const body = await sent(asked({ ...plain, messages, tools, system: 'Be brief', max_tokens: 9 }));
    const ours = { cache_control: { type: 'ephemeral' } };
    expect(body.tools).toEqual([{ ...tools[0], ...ours }]);
    expect(body.system).toEqual([{ type: 'text', text: 'Be brief', ...ours }]);
    expect(body.messages).toEqual([
      ...messages.slice(0, 2),
      { role: 'user', content: [{ type: 'text', text: 'Hi', ...ours }] },
    ]);
  });

  test('the options of the provider count', async () => {
    const body = await sent(asked(plain, { maxTokens: 3000, thinkingBudget: 2048, reasoningEffort: 'low' }));
    expect(body).toMatchObject({
      max_tokens: 3000,
      thinking: { type: 'enabled', budget_tokens: 2048 },
      output_config: { effort: 'low' },
    });
    const own = { ...plain, max_tokens: 9, thinking: { type: 'disabled' }, output_config: { effort: 'max' } };
    const kept = await sent(asked(own, { maxTokens: 9, thinkingBudget: 2048, reasoningEffort: 'low' }));
    expect(kept).toMatchObject({ ...own, model: 'm', messages: expect.anything() });
  });

  test.each([
    ['an effort is no wish to think', { output_config: { effort: 'high' } }],
    ['a budget is no effort', { thinking: { type: 'enabled', budget_tokens: 2048 } }],
  ])('%s', async (_, own) => {
    const body = {
      ...plain,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...mark }] }],
      max_tokens: 9000,
      ...own,
    };
    expect(await sent(asked(body, { maxTokens: 9000, reasoningEffort: 'high' }))).toEqual({ ...body, model: 'm' });
  });
});

describe('what another model has left in the conversation', () => {
  const turns = (...content: object[]) => ({
    ...BODY,
    messages: [BODY.messages[0], { role: 'assistant', content }, BODY.messages[0]],
  });

  test('is mended: unsigned thinking, and ids that the vendor refuses', async () => {
    const call = { type: 'tool_use', id: 'functions.f:0', name: 'f', input: {} };
    const body = await sent(asked(turns({ type: 'thinking', thinking: 'Hm', signature: '' }, call)));
    expect(body.messages[1].content).toEqual([{ ...call, id: 'functions_f_0' }]);
    const only = await sent(asked(turns({ type: 'thinking', thinking: 'Hm', signature: '' })));
    expect(only.messages).toHaveLength(2);
  });

  test.each([
    [true, 0],
    [false, 1],
  ])('is left out where it is not signed as the vendor signs (at the vendor: %p)', (isVendor, left) => {
    const thought = { type: 'thinking', thinking: 'Hm', signature: '-of-another' };
    const { messages } = turns(thought, { type: 'text', text: 'y' });
    const mended = mendTurns(messages, { withoutThoughts: false, isVendor }) ?? messages;
    expect((mended[1] as { content: object[] }).content).toHaveLength(left + 1);
  });

  test('is asked without when the vendor refuses its signature, once', async () => {
    const { upstream } = harness();
    upstream.answer(refusal('messages.1.content.0: Invalid `signature` in `thinking` block'), json(message()));
    const request = asked(turns({ type: 'thinking', thinking: 'Hm', signature: 'FOREIGN' }, { type: 'text', text: 'y' }));
    await harness().chat(request);
    await harness().chat(request);
    const types = harness().bodies().map(({ messages }) => messages[1].content[0].type as string);
    expect(types).toEqual(['thinking', 'text', 'thinking']);
  }); // prettier-ignore
});

describe('a limit that the model refuses', () => {
  test('is lowered to what the model can write, and remembered', async () => {
    harness().upstream.answer(({ body }) =>
      body.max_tokens > 8192 ? refusal(`max_tokens: ${body.max_tokens} > 8192, which is the maximum`) : json(message()),
    );
    const thinking = { type: 'enabled', budget_tokens: 31_999 };
    await harness().chat(asked());
    await harness().chat(asked({ ...BODY, thinking }));
    expect(harness().bodies().map((body) => body.max_tokens as number)).toEqual([32_000, 8192, 8192]);
    expect(harness().bodies()[2].thinking).toEqual({ type: 'enabled', budget_tokens: 8191 });
  }); // prettier-ignore

  test('is lowered to the room that this conversation leaves', async () => {
    const words = 'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length';
    harness().upstream.answer(refusal(words), json(message()));
    await harness().chat(asked());
    await harness().chat(asked());
    expect(harness().bodies().map((body) => body.max_tokens as number)).toEqual([32_000, 10_000, 32_000]);
  }); // prettier-ignore
});

describe('tokens', () => {
  const count = (request: Partial<ChatRequest>) => harness().driver.countTokens!(chatRequest(request), newCall());

  test('are counted by the vendor, in the client’s own words', async () => {
    harness().upstream.answer(json({ input_tokens: 2095 }));
    const body = {
      model: 'x',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'foo', ...mark }] }],
      tools: [],
    };
    expect(await count(asked(body))).toBe(2095);
    const [request] = harness().upstream.requests;
    expect(request!.path).toBe('/v1/messages/count_tokens');
    expect(request!.body).toEqual({ ...body, model: 'm' });
    expect(request!.headers['anthropic-beta']).toBe(headers['anthropic-beta']);
  });

  test('are counted for other wires, too', async () => {
    harness().upstream.answer(json({ input_tokens: 3 }));
    expect(await count({ stream: true, temperature: 1 })).toBe(3);
    expect(Object.keys(harness().bodies()[0]).sort()).toEqual(['messages', 'model']);
  });

  test('that nobody counts are an error', async () => {
    harness().upstream.answer(json({}), refusal('nope'));
    await expect(count({})).rejects.toMatchObject({ code: 'protocol' });
    await expect(count({})).rejects.toMatchObject({ code: 'rejected', status: 400 });
  });
});
