import type { ChatRequest } from 'drivebay/plugin';
import { completion, delta, DONE, finish, json, sse, type RecordedRequest } from '../../setup/upstream';
import { failureOf } from '../../http/open-pool';
import type { DriverHarness } from '../harness';
import { OPENAI } from '../recorded-refusals';
import { testRefusals } from '../vendor-refusals';
import { startEpsilon } from './harness';

describe('a refusal', () => {
  testRefusals({ start: startEpsilon, recorded: OPENAI, taken: json(completion('x')) });
});

let harness: DriverHarness;

beforeEach(async () => {
  harness = await startEpsilon();
});

afterEach(() => harness.close());

type Refuse = (body: Record<string, unknown>) => Record<string, unknown> | undefined;

/** A vendor that answers 400 as long as it finds something to refuse. */
function vendor(...refusals: Refuse[]): void {
  harness.upstream.answer(({ body }: RecordedRequest) => {
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
  harness.upstream.requests.map(({ body }) => (body as Record<string, unknown>)[name] ?? null);

async function ignoredBy(request: Partial<ChatRequest>): Promise<unknown> {
  const [first] = await harness.chat(request);
  return first?.type === 'meta' ? (first.ignored ?? []) : [];
}

test('several fields are left out one after the other', async () => {
  vendor(unsupported('temperature'), unsupported('top_p'), unsupported('logit_bias'));
  expect(await ignoredBy({ temperature: 1, topP: 1, extra: { logit_bias: { 1: 1 }, seed: 1 } })).toEqual(
    expect.arrayContaining(['temperature', 'top_p', 'logit_bias']),
  );
  expect(harness.upstream.requests).toHaveLength(4);
  expect(harness.upstream.requests.at(-1)?.body).toMatchObject({ seed: 1 });
});

test('a value that is refused among others is remembered with the field', async () => {
  vendor(({ verbosity }) =>
    verbosity === 'low'
      ? { message: "Unsupported value: 'low'. Supported values are: 'medium'.", param: 'verbosity', code: 'unsupported_value' } // prettier-ignore
      : undefined,
  );
  for (const verbosity of ['low', 'medium', 'low']) await harness.chat({ extra: { verbosity } });
  expect(sent('verbosity')).toEqual(['low', null, 'medium', null]);
});

test('the token limit goes under its older name where only that name is known', async () => {
  vendor(unsupported('max_completion_tokens'));
  expect(await ignoredBy({ maxTokens: 9 })).toEqual([]);
  await harness.chat({ maxTokens: 8 });
  expect(sent('max_completion_tokens')).toEqual([9, null, null]);
  expect(sent('max_tokens')).toEqual([null, 9, 8]);
});

test('a token limit that is refused under both names is an error', async () => {
  vendor(unsupported('max_completion_tokens'), unsupported('max_tokens'));
  expect((await failureOf(harness.chat({ maxTokens: 9 }))).message).toContain("'max_tokens' is not supported");
  expect(harness.upstream.requests).toHaveLength(2);
});

test('the client does not hear that the vendor counts no streams', async () => {
  vendor(unsupported('stream_options.include_usage', 'stream_options'));
  expect(await ignoredBy({ stream: true })).toEqual([]);
  expect(sent('stream_options')).toEqual([{ include_usage: true }, null]);
});

test.each<[string, Partial<ChatRequest>, object]>([
  ['a bad value', { temperature: 99 }, { message: "Invalid 'temperature': above maximum", param: 'temperature', code: 'decimal_above_max_value' }], // prettier-ignore
  ['an effort', { reasoningEffort: 'HIGH' }, { message: "Unsupported value: 'HIGH'", param: 'reasoning_effort', code: 'unsupported_value' }], // prettier-ignore
  ['tools', { tools: [{ name: 'f' }] }, { message: 'tools is not supported', param: 'tools', code: 'unsupported_parameter' }], // prettier-ignore
  ['a part of a message', {}, { message: 'Unsupported image', param: 'messages[0].content[1]' }],
])('the refusal of %s is the client’s to hear', async (_, request, error) => {
  vendor(() => ({ ...error }));
  expect(await failureOf(harness.chat(request))).toMatchObject({ code: 'rejected', status: 400 });
  expect(harness.upstream.requests).toHaveLength(1);
});
