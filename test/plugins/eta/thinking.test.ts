import type { ChatEvent, ChatRequest, Message, Part } from 'drivebay/plugin';
import { json, type RecordedRequest } from '../../setup/upstream';
import type { DriverHarness } from '../harness';
import { startEta } from './harness';
import { block, callBlock, message, refusal, stream, textBlock, thinkingBlock } from './wire';

let harness: DriverHarness;

beforeEach(async () => {
  harness = await startEta();
});

afterEach(() => harness.close());

async function sent(request: Partial<ChatRequest>) {
  harness.upstream.answer(json(message()));
  await harness.chat(request);
  return harness.upstream.requests.at(-1)!.body;
}

const bodies = () => harness.upstream.requests.map(({ body }) => body);
const adaptive = { type: 'adaptive', display: 'summarized' };
const tools = [{ name: 'f' }];

describe('what is asked for', () => {
  const enabled = (budget_tokens: number) => ({ type: 'enabled', budget_tokens });
  const disabled = { type: 'disabled' };
  const max = { effort: 'max' };

  test.each<[string, Partial<ChatRequest>, object]>([
    ['a budget', { thinkingBudget: 4096 }, { thinking: enabled(4096), max_tokens: 8192 }],
    ['a small budget', { thinkingBudget: 5 }, { thinking: enabled(1024), max_tokens: 8192 }],
    ['a budget over the limit', { thinkingBudget: 10_000 }, { thinking: enabled(10_000), max_tokens: 18_192 }],
    ['a budget over the client’s limit', { thinkingBudget: 2000, maxTokens: 50 }, { thinking: enabled(2000), max_tokens: 2050 }],
    ['an effort', { reasoningEffort: 'BogusLevel' }, { thinking: adaptive, output_config: { effort: 'BogusLevel' } }],
    ['both', { reasoningEffort: 'low', thinkingBudget: 2048 }, { thinking: enabled(2048), output_config: { effort: 'low' } }],
    ['the client’s own', { thinkingBudget: 2048, extra: { thinking: disabled } }, { thinking: disabled }],
    ['the client’s own effort', { reasoningEffort: 'low', extra: { output_config: max } }, { output_config: max }],
  ])('%s', async (_, request, expected) => {
    expect(await sent(request)).toMatchObject(expected);
  }); // prettier-ignore

  test('nothing without a budget and an effort', async () => {
    const body = await sent({});
    for (const name of ['thinking', 'output_config']) expect(body).not.toHaveProperty(name);
  });

  test('no thinking where a tool must be called', async () => {
    const body = await sent({ thinkingBudget: 2048, reasoningEffort: 'low', tools, toolChoice: { type: 'required' } });
    expect(body).not.toHaveProperty('thinking');
    expect(body.output_config).toEqual({ effort: 'low' });
  });
});

describe('a model that refuses a form', () => {
  const NO_BUDGET =
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';

  test('with a budget is asked in the newer one, once, and remembered', async () => {
    harness.upstream.answer(refusal(NO_BUDGET), json(message()));
    await harness.chat({ thinkingBudget: 2048, reasoningEffort: 'high' });
    await harness.chat({ thinkingBudget: 2048 });
    await harness.chat({ thinkingBudget: 2048, model: 'other' });
    expect(bodies().map(({ thinking }) => thinking.type)).toEqual(['enabled', 'adaptive', 'adaptive', 'enabled']);
    expect(bodies()[1]).toMatchObject({ thinking: adaptive, output_config: { effort: 'high' } });
  });

  test('both, is asked without', async () => {
    harness.upstream.answer(
      refusal(NO_BUDGET),
      refusal('adaptive thinking is not supported on this model'),
      json(message()),
    );
    const events = await harness.chat({ thinkingBudget: 2048 });
    expect(bodies().map(({ thinking }) => thinking?.type)).toEqual(['enabled', 'adaptive', undefined]);
    expect(events[0]).toEqual({ type: 'meta', ignored: ['thinking_budget'] });
  });

  test('the wish to show what it thinks is asked without', async () => {
    harness.upstream.answer(refusal('thinking.adaptive.display: Extra inputs are not permitted'), json(message()));
    await harness.chat({ reasoningEffort: 'low' });
    expect(bodies().map(({ thinking }) => thinking)).toEqual([adaptive, { type: 'adaptive' }]);
  });

  test('an effort has the last word', async () => {
    harness.upstream.answer(refusal('This model does not support the effort parameter.'));
    await expect(harness.chat({ reasoningEffort: 'high' })).rejects.toMatchObject({ code: 'rejected' });
    expect(bodies()).toHaveLength(1);
  });
});

describe('a round of tool calls', () => {
  const thoughts = [
    { type: 'thinking', thinking: 'Let me see', signature: 'SIG-1' },
    { type: 'redacted_thinking', data: 'SECRET' },
  ];
  const first = stream(
    [
      ...thinkingBlock(0, 'SIG-1', 'Let me ', 'see'),
      ...block(1, { type: 'redacted_thinking', data: 'SECRET' }),
      ...textBlock(2, 'Calling'),
      ...callBlock(3, 't1', 'f', '{"a":1}'),
    ],
    'tool_use',
  );
  const user: Message = { role: 'user', parts: [{ type: 'text', text: 'Go' }] };
  const result: Message = {
    role: 'tool',
    parts: [{ type: 'tool_result', callId: 't1', content: [{ type: 'text', text: 'r' }] }],
  };
  const call: Part = { type: 'tool_call', id: 't1', name: 'f', arguments: '{"a":1}' };

  async function firstAnswer(): Promise<ChatEvent[]> {
    harness.upstream.answer(first, json(message()));
    return harness.chat({ messages: [user], tools, thinkingBudget: 2048, stream: true });
  }

  async function second(assistant: Message): Promise<RecordedRequest['body']> {
    const request = { messages: [user, assistant, result], tools, thinkingBudget: 2048 };
    await harness.chat(request);
    return harness.upstream.requests.at(-1)!.body;
  }

  const sameAsBefore = [
    ...thoughts,
    { type: 'text', text: 'Calling' },
    { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
  ];
  const said: Part = { type: 'text', text: 'Calling' };

  test('comes back as it was through a client that keeps unknown fields', async () => {
    const events = await firstAnswer();
    const extra = events.reduce<Record<string, unknown>>(
      (all, item) => (item.type === 'reasoning' ? { ...all, ...item.extra } : all),
      {},
    );
    expect(extra).toEqual({ thinking_blocks: thoughts });
    await harness.close();
    // Another daemon: nothing is remembered.
    harness = await startEta();
    harness.upstream.answer(json(message()));
    const { messages, thinking } = await second({ role: 'assistant', parts: [said, call], extra });
    expect(messages[1].content).toEqual(sameAsBefore);
    expect(thinking).toEqual({ type: 'enabled', budget_tokens: 2048 });
  });

  test('comes back through parts, too', async () => {
    await firstAnswer();
    const reasoning: Part = { type: 'reasoning', text: '', extra: { thinking_blocks: [thoughts[0]] } };
    const { messages } = await second({ role: 'assistant', parts: [reasoning, call] });
    expect(messages[1].content).toMatchObject([thoughts[0], { type: 'tool_use' }]);
  });

  test('is remembered for a client that drops them', async () => {
    await firstAnswer();
    const { messages, thinking } = await second({ role: 'assistant', parts: [said, call] });
    expect(messages[1].content).toEqual(sameAsBefore);
    expect(thinking).toEqual({ type: 'enabled', budget_tokens: 2048 });
  });

  test('whose thoughts are gone goes on without a budget, and says so', async () => {
    harness.upstream.answer(json(message()));
    const lost: Message = { role: 'assistant', parts: [{ type: 'reasoning', text: 'Hmm' }, call] };
    const events = await harness.chat({ messages: [user, lost, result], tools, thinkingBudget: 2048 });
    const [body] = bodies();
    expect(body).not.toHaveProperty('thinking');
    expect(body.messages[1].content).toMatchObject([{ type: 'tool_use' }]);
    expect(events[0]).toEqual({ type: 'meta', ignored: ['reasoning_content', 'thinking_budget'] });
  });
});
