import { json } from '../../../setup/upstream';
import { answering, startVendor, type Vendor, VENDORS, ZETA } from '../../vendors';

const origin = { api: 'messages' as const, body: {}, headers: {} };
const responses = { ...origin, api: 'responses' as const };

/** How each vendor refuses an effort. */
const WORDS: Record<string, string> = {
  openai: 'Unrecognized request argument supplied: reasoning_effort',
  anthropic: 'This model does not support the effort parameter.',
  gemini: 'Thinking level is not supported for this model.',
};

async function efforts(vendor: Vendor, effort: string, answers: (effort: string | undefined) => string | undefined) {
  const harness = await startVendor(vendor);
  harness.upstream.answer((request) => {
    const words = answers(vendor.wire.received(request).reasoningEffort);
    return words === undefined ? answering(vendor)(request) : json({ error: { message: words } }, { status: 400 });
  });
  try {
    const ignored = await harness.ignoredBy({ reasoningEffort: effort, origin: responses });
    await harness.chat({ reasoningEffort: effort, origin: responses });
    const asked = harness.upstream.requests.map((request) => vendor.wire.received(request).reasoningEffort);
    return { ignored, asked };
  } finally {
    await harness.close();
  }
}

describe.each(VENDORS)('the effort that a program of another wire asks of $alias', (vendor) => {
  const spelled = (effort: string) => (vendor === ZETA ? effort.toUpperCase() : effort);

  test('is left out where the model takes none, and remembered', async () => {
    const refuse = (effort: string | undefined) => (effort === undefined ? undefined : WORDS[vendor.alias]);
    expect(await efforts(vendor, 'high', refuse)).toEqual({
      ignored: ['reasoning_effort'],
      asked: [spelled('high'), undefined, undefined],
    });
  });

  test('is the client’s to hear of in chat completions', async () => {
    const harness = await startVendor(vendor);
    harness.upstream.answer(json({ error: { message: WORDS[vendor.alias] } }, { status: 400 }));
    await expect(harness.chat({ reasoningEffort: 'high' })).rejects.toMatchObject({ code: 'rejected' });
    expect(harness.upstream.requests).toHaveLength(1);
    await harness.close();
  });
});

test('an effort above all that the model knows becomes its highest', async () => {
  const [openai] = VENDORS;
  const words =
    "Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model. Supported values are: 'low', 'medium', and 'high'.";
  const refuse = (effort: string | undefined) => (effort === 'xhigh' ? words : undefined);
  expect(await efforts(openai!, 'xhigh', refuse)).toEqual({
    ignored: ['reasoning_effort'],
    asked: ['xhigh', 'high', 'high'],
  });
});

test('Gemini is asked in its own words, and for its thoughts', async () => {
  const harness = await startVendor(ZETA);
  harness.upstream.answer(answering(ZETA));
  for (const reasoningEffort of ['low', 'max']) await harness.chat({ reasoningEffort, origin });
  expect(await harness.ignoredBy({ reasoningEffort: 'none', origin })).toEqual(['reasoning_effort']);
  const asked = harness.bodies().map(({ generationConfig }) => generationConfig?.thinkingConfig as unknown);
  const level = (thinkingLevel: string) => ({ thinkingLevel, includeThoughts: true });
  expect(asked).toEqual([level('LOW'), level('HIGH'), undefined]);
  await harness.close();
});
