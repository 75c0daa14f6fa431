import type { ChatEvent, ChatRequest, Message, Part } from 'drivebay/plugin';
import { json } from '../../setup/upstream';
import { call, calls, result, says, text } from '../messages';
import { ETA, startVendor, useVendor } from '../vendors';
import { block, callBlock, message, refusal, stream, textBlock, thinkingBlock } from './wire';

const harness = useVendor(ETA);

async function sent(request: Partial<ChatRequest>) {
  harness().upstream.answer(json(message()));
  return harness().sent(request);
}

const thinking = () =>
  harness()
    .bodies()
    .map((body) => body.thinking);
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

  test('no thinking for the effort that means none', async () => {
    const body = await sent({ reasoningEffort: 'none' });
    for (const name of ['thinking', 'output_config']) expect(body).not.toHaveProperty(name);
  });

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
  test('is asked in the newer one, and then without', async () => {
    harness().upstream.answer(
      refusal('"thinking.type.enabled" is not supported for this model.'),
      refusal('adaptive thinking is not supported on this model'),
      json(message()),
    );
    expect(await harness().ignoredBy({ thinkingBudget: 2048 })).toEqual(['thinking_budget']);
    expect(thinking()).toEqual([{ type: 'enabled', budget_tokens: 2048 }, adaptive, undefined]);
  });

  test('the wish to show what it thinks is asked without', async () => {
    harness().upstream.answer(refusal('thinking.adaptive.display: Extra inputs are not permitted'), json(message()));
    await harness().chat({ reasoningEffort: 'low' });
    expect(thinking()).toEqual([adaptive, { type: 'adaptive' }]);
  });

  test('an effort has the last word', async () => {
    harness().upstream.answer(refusal('This model does not support the effort parameter.'));
    await expect(harness().chat({ reasoningEffort: 'high' })).rejects.toMatchObject({ code: 'rejected' });
    expect(harness().bodies()).toHaveLength(1);
  });
});

describe('a round of tool calls', () => {
  const called = call('t1');
  const thoughts = [
    { type: 'thinking', thinking: 'Let me see', signature: 'SIG-1' },
    { type: 'redacted_thinking', data: 'SECRET' },
  ];
  const first = stream(
    [
      ...thinkingBlock(0, 'SIG-1', 'Let me ', 'see'),
      ...block(1, { type: 'redacted_thinking', data: 'SECRET' }),
      ...textBlock(2, 'Calling'),
      ...callBlock(3, 't1', 'f', called.arguments),
    ],
    'tool_use',
  );
  const said = text('Calling');
  const sameAsBefore = [...thoughts, said, { type: 'tool_use', id: 't1', name: 'f', input: { of: 't1' } }];

  async function firstAnswer(): Promise<ChatEvent[]> {
    harness().upstream.answer(first, json(message()));
    return harness().chat({ tools, thinkingBudget: 2048, stream: true });
  }

  const afterwards = (assistant: Message) => ({
    messages: [says('user', 'Go'), assistant, result('t1', 'r')],
    tools,
    thinkingBudget: 2048,
  });

  test('comes back as it was through a client that keeps unknown fields', async () => {
    const events = await firstAnswer();
    const ends = events.flatMap((item) => (item.type === 'reasoning_end' ? [item.extra] : []));
    expect(ends).toEqual(thoughts.map((block) => ({ thinking_blocks: [block] })));
    const extra = { thinking_blocks: thoughts };
    // Another daemon: nothing is remembered.
    const other = await startVendor(ETA);
    other.upstream.answer(json(message()));
    const body = await other.sent(afterwards({ ...calls(said, called), extra }));
    await other.close();
    expect(body.messages[1].content).toEqual(sameAsBefore);
    expect(body.thinking).toEqual({ type: 'enabled', budget_tokens: 2048 });
  });

  test('comes back through parts, too', async () => {
    await firstAnswer();
    const reasoning: Part = { type: 'reasoning', text: '', extra: { thinking_blocks: [thoughts[0]] } };
    const { messages } = await harness().sent(afterwards(calls(reasoning, called)));
    expect(messages[1].content).toMatchObject([thoughts[0], { type: 'tool_use' }]);
  });

  test('is remembered for a client that drops them', async () => {
    await firstAnswer();
    const body = await harness().sent(afterwards(calls(said, called)));
    expect(body.messages[1].content).toEqual(sameAsBefore);
    expect(body.thinking).toEqual({ type: 'enabled', budget_tokens: 2048 });
  });

  test('whose thoughts are gone goes on without a budget, and says so', async () => {
    harness().upstream.answer(json(message()));
    const request = afterwards(calls({ type: 'reasoning', text: 'Hmm' }, called));
    expect(await harness().ignoredBy(request)).toEqual(['reasoning_content', 'thinking_budget']);
    const [body] = harness().bodies();
    expect(body).not.toHaveProperty('thinking');
    expect(body.messages[1].content).toMatchObject([{ type: 'tool_use' }]);
  });
});
