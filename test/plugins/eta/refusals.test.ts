import type { ChatRequest } from 'drivebay/plugin';
import { failureOf } from '../../http/open-pool';
import { json } from '../../setup/upstream';
import { ETA, useVendor } from '../vendors';
import { message, refusal } from './wire';

const harness = useVendor(ETA);

const ODD: Partial<ChatRequest> = {
  ...{ tools: [{ name: 'f' }], reasoningEffort: 'odd', stop: [' '], temperature: 1.5 },
  extra: { service_tier: 'auto' },
};

describe('a field that the vendor refuses by name', () => {
  test('for its value is left out with that value only', async () => {
    const words = '`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.';
    harness().upstream.answer(refusal(words), json(message()));
    for (const temperature of [1.5, 1.5, 1]) await harness().chat({ temperature, reasoningEffort: 'low' });
    const bodies = harness().bodies();
    expect(bodies.map(({ temperature }) => temperature)).toEqual([1.5, undefined, undefined, 1]);
    expect(bodies.every(({ thinking }) => thinking.type === 'adaptive')).toBe(true);
  });

  test.each([
    'messages.0.content.0.text: Extra inputs are not permitted',
    'tools.0.input_schema: Field required',
    'temperature: Input should be less than or equal to 1',
    'service_tier: Input should be auto or standard_only',
    'output_config.effort: Input should be low, medium, high, xhigh or max',
    'stop_sequences: each stop sequence must contain non-whitespace',
    'model: does not exist',
    'top_p: Extra inputs are not permitted',
    'prompt is too long: 300000 tokens > 200000 maximum',
  ])('is not looked for in "%s"', async (words) => {
    harness().upstream.answer(refusal(words));
    const failure = await failureOf(harness().chat(ODD));
    expect(failure).toMatchObject({ code: 'rejected', status: 400 });
    expect(failure.message).toContain(words);
    expect(harness().bodies()).toHaveLength(1);
  });
});

test('sampling parameters go to the version of the API that knows them', async () => {
  harness().upstream.answer(json(message()));
  await harness().chat({ temperature: 0.2 });
  await harness().chat({});
  const versions = harness().upstream.requests.map(({ headers }) => headers['anthropic-version']);
  expect(versions).toEqual(['2023-06-01', '2026-10-21']);
});

test('strict of a tool that goes as it is stays the client’s', async () => {
  harness().upstream.answer(refusal('tools.0.strict: Extra inputs are not permitted'));
  const tools = [{ name: 'x', raw: { type: 'custom_20270101', name: 'x', strict: true } }];
  expect((await failureOf(harness().chat({ tools }))).code).toBe('rejected');
  expect(harness().bodies()).toHaveLength(1);
});

test('strict tools are only tools for a model that does not know them', async () => {
  harness().upstream.answer(refusal('tools.0.custom.strict: Extra inputs are not permitted'), json(message()));
  expect(await harness().ignoredBy({ tools: [{ name: 'f', strict: true }] })).toEqual(['tools.strict']);
  const strict = harness()
    .bodies()
    .map(({ tools }) => 'strict' in tools[0]);
  expect(strict).toEqual([true, false]);
});

describe('a limit that is more than the model can write', () => {
  const answers = () =>
    harness().upstream.answer(({ body }) =>
      body.max_tokens > 4096
        ? refusal(`max_tokens: ${body.max_tokens} > 4096, which is the maximum allowed number of output tokens for m`)
        : json(message()),
    );

  test('is lowered, and remembered', async () => {
    answers();
    await harness().chat();
    await harness().chat();
    await harness().chat({ thinkingBudget: 10_000 });
    const bodies = harness().bodies();
    expect(bodies.map(({ max_tokens: limit }) => limit)).toEqual([8192, 4096, 4096, 4096]);
    expect(bodies[3].thinking).toEqual({ type: 'enabled', budget_tokens: 4095 });
  });

  test('is named where it is the client’s', async () => {
    answers();
    expect(await harness().ignoredBy({ maxTokens: 5000 })).toEqual(['max_tokens']);
    expect(harness().bodies().at(-1).max_tokens).toBe(4096);
  });
});
