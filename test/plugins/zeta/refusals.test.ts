import type { ChatRequest, Message } from 'drivebay/plugin';
import { failureOf } from '../../http/open-pool';
import { json, type RecordedRequest } from '../../setup/upstream';
import { call, calls, result, says } from '../messages';
import { useVendor, ZETA } from '../vendors';
import { end, refusal } from './wire';

const harness = useVendor(ZETA);

/** A vendor that refuses what a body holds, in its own words. */
function refuseWhile(holds: (body: RecordedRequest['body']) => boolean, message: string): void {
  harness().upstream.answer(({ body }) =>
    holds(body) ? json(refusal(400, message), { status: 400 }) : json(end('x')),
  );
}

describe('a refusal of', () => {
  test.each<[string, Partial<ChatRequest>, string]>([
    ['a bad value', { temperature: 9 }, 'temperature must be in the range [0.0, 2.0]'],
    ['a bad effort', { reasoningEffort: 'BOGUS' }, 'Invalid value at \'generation_config.thinking_config.thinking_level\''],
    ['an effort for an older model', { reasoningEffort: 'HIGH' }, 'Thinking level is not supported for this model.'],
    ['a budget that is too large', { thinkingBudget: 99999 }, 'The thinking budget 99999 is invalid. Please choose a value between 512 and 24576.'],
    ['tools', { tools: [{ name: 'f' }] }, 'Function calling is not enabled for models/m'],
  ])('%s is the client’s to hear', async (_, request, message) => {
    harness().upstream.answer(json(refusal(400, message), { status: 400 }));
    const failure = await failureOf(harness().chat(request));
    expect(failure).toMatchObject({ code: 'rejected', status: 400 });
    expect(failure.message).toContain(message);
    expect(harness().bodies()).toHaveLength(1);
  }); // prettier-ignore
});

describe('a thinking budget', () => {
  test.each([
    [1024, 'LOW'],
    [5000, 'MEDIUM'],
    [30000, 'HIGH'],
  ])('of %i is the level %s to a model that refuses budgets', async (thinkingBudget, thinkingLevel) => {
    const refuses = 'Thinking budget is not supported for this model. Use thinking_level instead.';
    refuseWhile(({ generationConfig: { thinkingConfig } }) => thinkingConfig?.thinkingBudget !== undefined, refuses);
    expect(await harness().ignoredBy({ thinkingBudget })).toEqual([]);
    const forms = harness()
      .bodies()
      .map(({ generationConfig }) => generationConfig.thinkingConfig);
    expect(forms).toEqual([
      { thinkingBudget, includeThoughts: true },
      { thinkingLevel, includeThoughts: true },
    ]);
  });
});

test('a model without system instructions hears them in the user’s turn', async () => {
  refuseWhile((body) => 'systemInstruction' in body, 'Developer instruction is not enabled for models/gemma');
  await harness().chat({ messages: [says('user', 'Hi'), says('system', 'Be brief')] });
  expect(harness().bodies()[1].contents).toEqual([{ role: 'user', parts: [{ text: 'Be brief' }, { text: 'Hi' }] }]);
});

describe('signatures', () => {
  const signed = { extra_content: { google: { thought_signature: 'theirs' } } };
  const messages = (extra?: Record<string, unknown>): Message[] => [
    says('user', 'x'),
    calls(call('a', 'f', extra), call('b')),
    result('a', '1'),
    result('b', '2'),
  ];
  type Call = { thoughtSignature?: string };
  const signatures = () =>
    harness()
      .bodies()
      .map(({ contents }) => contents[1].parts.map((part: Call) => part.thoughtSignature));

  test('that a client dropped are made up for in the first call of a turn, where the model wants them', async () => {
    refuseWhile(
      ({ contents }) => contents[1].parts[0].thoughtSignature === undefined,
      'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.',
    );
    for (const extra of [undefined, undefined, signed]) await harness().chat({ messages: messages(extra) });
    const filled = ['skip_thought_signature_validator', undefined];
    expect(signatures()).toEqual([[undefined, undefined], filled, filled, ['theirs', undefined]]);
  });
});
