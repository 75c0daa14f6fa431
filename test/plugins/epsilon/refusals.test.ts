import type { ChatRequest } from 'drivebay/plugin';
import { failureOf } from '../../http/open-pool';
import { completion, delta, DONE, finish, json, sse } from '../../setup/upstream';
import { EPSILON, useVendor } from '../vendors';

const harness = useVendor(EPSILON);

type Refuse = (body: Record<string, unknown>) => Record<string, unknown> | undefined;

/** A vendor that answers 400 as long as it finds something to refuse. */
function vendor(...refusals: Refuse[]): void {
  harness().upstream.answer(({ body }) => {
    for (const refuse of refusals) {
      const error = refuse(body as Record<string, unknown>);
      if (error) return json({ error: { type: 'invalid_request_error', ...error } }, { status: 400 });
    }
    const { stream } = body as { stream: boolean };
    return stream ? sse([delta('x'), finish(), DONE]) : json(completion('x'));
  });
}

const unsupported =
  (param: string, field = param): Refuse =>
  (body) =>
    field in body
      ? { message: `Unsupported parameter: '${param}' is not supported with this model.`, param, code: 'unsupported_parameter' } // prettier-ignore
      : undefined;

const sent = (name: string) =>
  harness()
    .bodies()
    .map((body: Record<string, unknown>) => body[name] ?? null);

test('several fields are left out one after the other', async () => {
  vendor(unsupported('temperature'), unsupported('top_p'), unsupported('logit_bias'));
  const ignored = await harness().ignoredBy({ temperature: 1, topP: 1, extra: { logit_bias: { 1: 1 }, seed: 1 } });
  expect(ignored.sort()).toEqual(['logit_bias', 'temperature', 'top_p']);
  expect(sent('seed')).toEqual([1, 1, 1, 1]);
});

test('a value that is refused among others is remembered with the field', async () => {
  vendor(({ verbosity }) =>
    verbosity === 'low'
      ? { message: "Unsupported value: 'low'. Supported values are: 'medium'.", param: 'verbosity', code: 'unsupported_value' } // prettier-ignore
      : undefined,
  );
  for (const verbosity of ['low', 'medium', 'low']) await harness().chat({ extra: { verbosity } });
  expect(sent('verbosity')).toEqual(['low', null, 'medium', null]);
});

test('the token limit goes under its older name where only that name is known', async () => {
  vendor(unsupported('max_completion_tokens'));
  await harness().chat({ maxTokens: 9 });
  await harness().chat({ maxTokens: 8 });
  expect(sent('max_completion_tokens')).toEqual([9, null, null]);
  expect(sent('max_tokens')).toEqual([null, 9, 8]);
});

test('a token limit that is refused under both names is an error', async () => {
  vendor(unsupported('max_completion_tokens'), unsupported('max_tokens'));
  expect((await failureOf(harness().chat({ maxTokens: 9 }))).message).toContain("'max_tokens' is not supported");
  expect(harness().bodies()).toHaveLength(2);
});

test('the client does not hear that the vendor counts no streams', async () => {
  vendor(unsupported('stream_options.include_usage', 'stream_options'));
  expect(await harness().ignoredBy({ stream: true })).toEqual([]);
  expect(sent('stream_options')).toEqual([{ include_usage: true }, null]);
});

test.each<[string, Partial<ChatRequest>, object]>([
  ['a bad value', { temperature: 99 }, { message: "Invalid 'temperature': above maximum", param: 'temperature', code: 'decimal_above_max_value' }], // prettier-ignore
  ['an effort', { reasoningEffort: 'HIGH' }, { message: "Unsupported value: 'HIGH'", param: 'reasoning_effort', code: 'unsupported_value' }], // prettier-ignore
  ['tools', { tools: [{ name: 'f' }] }, { message: 'tools is not supported', param: 'tools', code: 'unsupported_parameter' }], // prettier-ignore
  ['a part of a message', {}, { message: 'Unsupported image', param: 'messages[0].content[1]' }],
])('the refusal of %s is the client’s to hear', async (_, request, error) => {
  vendor(() => ({ ...error }));
  expect(await failureOf(harness().chat(request))).toMatchObject({ code: 'rejected', status: 400 });
  expect(harness().bodies()).toHaveLength(1);
});
