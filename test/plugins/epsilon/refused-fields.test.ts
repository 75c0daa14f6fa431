import type { ChatRequest } from 'drivebay/plugin';
import { completion, delta, DONE, finish, json, sse, type RecordedRequest } from '../../setup/upstream';
import { failureOf } from '../../http/open-pool';
import type { DriverHarness } from '../harness';
import { startEpsilon } from './harness';

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
  (param: string, more: object = {}): Refuse =>
  (body) =>
    param in body
      ? { message: `Unsupported parameter: '${param}' is not supported with this model.`, param, code: 'unsupported_parameter', ...more } // prettier-ignore
      : undefined;

const sent = (name: string) =>
  harness.upstream.requests.map(({ body }) => (body as Record<string, unknown>)[name] ?? null);

async function ignoredBy(request: Partial<ChatRequest>): Promise<unknown> {
  const [first] = await harness.chat(request);
  return first?.type === 'meta' ? (first.ignored ?? []) : [];
}

test('a refused field is left out, reported, and remembered for that model', async () => {
  vendor(unsupported('temperature'));
  for (const stream of [false, true]) {
    expect(await ignoredBy({ temperature: 0.2, stream })).toEqual(['temperature']);
  }
  expect(sent('temperature')).toEqual([0.2, null, null]);
  expect(await ignoredBy({})).toEqual([]);
  expect(await ignoredBy({ temperature: 0.2, model: 'other' })).toEqual(['temperature']);
  expect(sent('temperature').slice(-2)).toEqual([0.2, null]);
});

// Names that every object of the language has: asking again without them would never end.
test.each(['constructor', '__proto__'])('a request that has no "%s" is not sent again without it', async (param) => {
  vendor(() => ({ message: `Unknown parameter: '${param}'.`, param, code: 'unknown_parameter' }));
  expect(await failureOf(harness.chat())).toMatchObject({ code: 'rejected', status: 400 });
  expect(harness.upstream.requests).toHaveLength(1);
});

test('several are left out one after the other', async () => {
  vendor(unsupported('temperature'), unsupported('top_p'), unsupported('logit_bias'));
  expect(await ignoredBy({ temperature: 1, topP: 1, extra: { logit_bias: { 1: 1 }, seed: 1 } })).toEqual(
    expect.arrayContaining(['temperature', 'top_p', 'logit_bias']),
  );
  expect(harness.upstream.requests).toHaveLength(4);
  expect(harness.upstream.requests.at(-1)?.body).toMatchObject({ seed: 1 });
});

test.each<[string, object]>([
  ['its code', { message: 'no', param: 'top_k', code: 'unknown_parameter' }],
  ['its words', { message: 'Unrecognized request argument supplied: top_k', param: null, code: null }],
  ['other words', { message: "Unknown field 'top_k'" }],
])('a field is known as refused by %s', async (_, error) => {
  vendor(({ top_k: topK }) => (topK ? { ...error } : undefined));
  expect(await ignoredBy({ extra: { top_k: 4 } })).toEqual(['top_k']);
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

test('the token limit goes under its older name where only that is known', async () => {
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

test('a vendor that does not count in streams is not asked again, which nobody needs to hear', async () => {
  vendor(unsupported('stream_options', { param: 'stream_options.include_usage' }));
  expect(await ignoredBy({ stream: true })).toEqual([]);
  expect(sent('stream_options')).toEqual([{ include_usage: true }, null]);
});

test.each<[string, Partial<ChatRequest>, object]>([
  ['a bad value', { temperature: 99 }, { message: "Invalid 'temperature': above maximum", param: 'temperature', code: 'decimal_above_max_value' }], // prettier-ignore
  ['an effort', { reasoningEffort: 'HIGH' }, { message: "Unsupported value: 'HIGH'", param: 'reasoning_effort', code: 'unsupported_value' }], // prettier-ignore
  ['tools', { tools: [{ name: 'f' }] }, { message: 'tools is not supported', param: 'tools', code: 'unsupported_parameter' }], // prettier-ignore
  ['a part of a message', {}, { message: 'Unsupported image', param: 'messages[0].content[1]' }],
  ['a field that was not sent', {}, { message: "Unknown parameter: 'x'", param: 'x', code: 'unknown_parameter' }],
])('the refusal of %s is the client’s to hear', async (_, request, error) => {
  vendor(() => ({ ...error }));
  expect(await failureOf(harness.chat(request))).toMatchObject({ code: 'rejected', status: 400 });
  expect(harness.upstream.requests).toHaveLength(1);
});
