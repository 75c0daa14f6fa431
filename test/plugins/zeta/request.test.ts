import type { ChatRequest, Message } from 'drivebay/plugin';
import { failureOf } from '../../http/open-pool';
import { call, calls, result, says, text } from '../messages';
import { answering, KEY, useVendor, ZETA } from '../vendors';

const harness = useVendor(ZETA);

beforeEach(() => void harness().upstream.answer(answering(ZETA)));

test('goes to the method of the native API, with the key in its header', async () => {
  await harness().sent({ model: 'models/gemini-x' });
  expect(harness().upstream.requests[0]).toMatchObject({
    method: 'POST',
    path: '/v1beta/models/gemini-x:generateContent',
    headers: { 'x-goog-api-key': KEY, 'content-type': 'application/json' },
  });
  expect(harness().upstream.requests[0]?.headers).not.toHaveProperty('x-server-timeout');
});

describe('messages', () => {
  test('all system and developer messages are one instruction, in order', async () => {
    const messages = [says('system', 'A'), says('user', 'Hi'), says('developer', 'B'), says('user', '', 'there')];
    expect(await harness().sent({ messages })).toEqual({
      systemInstruction: { parts: [{ text: 'A' }, { text: 'B' }] },
      contents: [{ role: 'user', parts: [{ text: 'Hi' }, { text: 'there' }] }],
      generationConfig: {},
    });
  });

  test('a system message alone is what the user says', async () => {
    const { contents, systemInstruction } = await harness().sent({ messages: [says('system', 'Be brief')] });
    expect(contents).toEqual([{ role: 'user', parts: [{ text: 'Be brief' }] }]);
    expect(systemInstruction).toBeUndefined();
  });

  test('a tool loop keeps calls, results by name in the order of the calls, and native ids', async () => {
    const own = `call_${'a'.repeat(32)}`;
    const messages: Message[] = [
      says('user', 'Weather?'),
      calls({ type: 'reasoning', text: 'hm' }, text('Let me see'), call('n1', 'sun'), call(own, 'sun')),
      result(own, 'rain'),
      result('n1', '{"big":12345678901234567890}'),
      says('user', 'Thanks'),
      says('user', ''),
      says('assistant'),
      says('assistant', 'Welcome'),
    ];
    expect((await harness().sent({ messages })).contents).toEqual([
      { role: 'user', parts: [{ text: 'Weather?' }] },
      {
        role: 'model',
        parts: [
          { text: 'Let me see' },
          { functionCall: { id: 'n1', name: 'sun', args: { of: 'n1' } } },
          { functionCall: { name: 'sun', args: { of: own } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'n1', name: 'sun', response: { output: '{"big":12345678901234567890}' } } },
          { functionResponse: { name: 'sun', response: { output: 'rain' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'Thanks' }] },
      { role: 'model', parts: [{ text: 'Welcome' }] },
    ]);
  });

  test('signatures of a call and of a text come back to their parts', async () => {
    const signed = (value: string) => ({ extra_content: { google: { thought_signature: value } } });
    const turn = { ...calls(text('Hm'), call('n1', 'f', signed('s1')), call('n2')), extra: signed('s0') };
    const { contents } = await harness().sent({ messages: [says('user', 'x'), turn] });
    const signatures = contents[1].parts.map((part: { thoughtSignature?: string }) => part.thoughtSignature);
    expect(signatures).toEqual(['s0', 's1', undefined]);
  });

  test('the signature of a text comes back with the reasoning of clients that know no other place', async () => {
    const sign = { extra_content: { google: { thought_signature: 's0' } } };
    const turn = calls(text('Hm'), { type: 'reasoning', text: '', extra: sign });
    const { contents } = await harness().sent({ messages: [says('user', 'x'), turn, says('user', 'y')] });
    expect(contents[1].parts).toEqual([{ text: 'Hm', thoughtSignature: 's0' }]);
  });

  test('a refusal beside the content is what the model said', async () => {
    const messages = [says('user', 'x'), { ...calls(), extra: { refusal: 'I will not' } }, says('user', 'y')];
    expect((await harness().sent({ messages })).contents[1]).toEqual({
      role: 'model',
      parts: [{ text: 'I will not' }],
    });
  });

  test('calls that are no calls of tools are refused by their place', async () => {
    const strange = { ...calls(), extra: { function_call: { name: 'f' } } };
    const failure = await failureOf(harness().chat({ messages: [says('user', 'x'), strange] }));
    expect(failure).toMatchObject({ code: 'invalid_request', param: 'messages[1].function_call' });
  });

  test('pictures, sound and files go inline, stored files by their address', async () => {
    const stored = 'https://generativelanguage.googleapis.com/v1beta/files/abc';
    const parts: Message['parts'] = [
      { type: 'image', url: 'data:image/png;base64,AAAA' },
      { type: 'audio', data: 'BBBB', format: 'wav' },
      { type: 'file', data: 'data:application/pdf;name=x.pdf;base64,CCCC', filename: 'x.pdf' },
      { type: 'image', url: stored },
      { type: 'file', id: 'files/def' },
    ];
    expect((await harness().sent({ messages: [{ role: 'user', parts }] })).contents[0].parts).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { inlineData: { mimeType: 'audio/wav', data: 'BBBB' } },
      { inlineData: { mimeType: 'application/pdf', data: 'CCCC' } },
      { fileData: { fileUri: stored } },
      { fileData: { fileUri: 'files/def' } },
    ]);
  });

  test('a picture in a result goes beside its text', async () => {
    const messages: Message[] = [
      calls(call('n1', 'shoot')),
      { role: 'tool', parts: [{ type: 'tool_result', callId: 'n1', content: [
        { type: 'text', text: 'done' }, { type: 'image', url: 'data:image/png;base64,AAAA' },
      ] }] },
    ]; // prettier-ignore
    expect((await harness().sent({ messages })).contents[1].parts[0].functionResponse).toMatchObject({
      response: { output: 'done' },
      parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
    });
  });

  test.each<[string, Message, string]>([
    ['an address', { role: 'user', parts: [text('x'), { type: 'image', url: 'https://example.com/a.png' }] }, 'messages[1].content[1]'],
    ['no base64', { role: 'user', parts: [{ type: 'image', url: 'data:image/png,x' }] }, 'messages[1].content[0]'],
    ['a foreign file id', { role: 'user', parts: [{ type: 'file', id: 'file-abc' }] }, 'messages[1].content[0]'],
    ['an unknown part', { role: 'user', parts: [{ type: 'other', value: { type: 'video_url' } }] }, 'messages[1].content[0]'],
    ['a result of no call', result('lost', 'x'), 'messages[1].tool_call_id'],
  ])('%s is refused with its place', async (_, message, param) => {
    const failure = await failureOf(harness().chat({ messages: [says('user', 'x'), message] }));
    expect(failure).toMatchObject({ code: 'invalid_request', param });
    // Clients of another wire have another place for it.
    expect(failure.message).not.toContain('messages[');
    expect(harness().upstream.requests).toHaveLength(0);
  }); // prettier-ignore
});

describe('tools', () => {
  const schema = { type: 'object', properties: { x: { type: ['string', 'null'] } }, additionalProperties: false };
  const tools = [{ name: 'f', description: 'does f', parameters: schema }, { name: 'g' }];

  test('are declared with their schemas, less what the vendor refuses', async () => {
    const body = await harness().sent({ tools });
    const { additionalProperties: _, ...native } = schema;
    const functionDeclarations = [{ name: 'f', description: 'does f', parametersJsonSchema: native }, { name: 'g' }];
    expect(body.tools).toEqual([{ functionDeclarations }]);
    expect(body.toolConfig).toBeUndefined();
  });

  test.each<[string, NonNullable<ChatRequest['toolChoice']>, object]>([
    ['auto', { type: 'auto' }, { mode: 'AUTO' }],
    ['none', { type: 'none' }, { mode: 'NONE' }],
    ['required', { type: 'required' }, { mode: 'ANY' }],
    ['named', { type: 'tool', name: 'g' }, { mode: 'ANY', allowedFunctionNames: ['g'] }],
    ['allowed', { type: 'other', value: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] } } }, { mode: 'VALIDATED', allowedFunctionNames: ['f'] }],
  ])('choice %s', async (_, toolChoice, functionCallingConfig) => {
    expect((await harness().sent({ tools, toolChoice })).toolConfig).toEqual({ functionCallingConfig });
  }); // prettier-ignore

  test('a choice without tools that says nothing is left out, another form refused', async () => {
    expect((await harness().sent({ toolChoice: { type: 'auto' } })).toolConfig).toBeUndefined();
    const toolChoice = { type: 'other' as const, value: { type: 'custom' } };
    expect(await failureOf(harness().chat({ tools, toolChoice }))).toMatchObject({ param: 'tool_choice' });
  });

  test('the vendor’s own go by their names, those of other vendors are named', async () => {
    const request = {
      tools: [
        { name: 'google_search', raw: { type: 'google_search' } },
        { name: 'web_search', raw: { type: 'web_search' } },
        { name: 'h', strict: true, raw: { type: 'function', function: { name: 'h' }, x: 1 } },
      ],
    };
    expect((await harness().sent(request)).tools).toEqual([
      { functionDeclarations: [{ name: 'h' }] },
      { googleSearch: {} },
    ]);
    expect(await harness().ignoredBy(request)).toEqual(['tools[1]', 'tools.strict']);
  });
});

describe('settings', () => {
  test('have the vendor’s names, and their values unchecked', async () => {
    const { generationConfig } = await harness().sent({
      ...{ maxTokens: 7, temperature: 9, topP: 2, stop: ['a', 'b'] },
      extra: { top_k: 5, seed: 1, presence_penalty: 3, frequency_penalty: -3 },
    });
    expect(generationConfig).toEqual({
      ...{ maxOutputTokens: 7, temperature: 9, topP: 2, stopSequences: ['a', 'b'] },
      ...{ topK: 5, seed: 1, presencePenalty: 3, frequencyPenalty: -3 },
    });
  });

  test.each<[string, Partial<ChatRequest>, object | undefined]>([
    ['an effort goes verbatim and alone', { reasoningEffort: 'bOGus', thinkingBudget: 5 }, { thinkingLevel: 'bOGus' }],
    ['a budget asks for thoughts', { thinkingBudget: 2048 }, { thinkingBudget: 2048, includeThoughts: true }],
    ['neither sends nothing', {}, undefined],
    [
      'the client’s own wins',
      { thinkingBudget: 5, extra: { generationConfig: { thinkingConfig: { thinkingBudget: -1 } } } },
      { thinkingBudget: -1 },
    ],
  ])('%s', async (_, request, expected) => {
    expect((await harness().sent(request)).generationConfig.thinkingConfig).toEqual(expected);
  });

  test.each<[ChatRequest['responseFormat'] & object, object]>([
    [{ type: 'text' }, {}],
    [{ type: 'json_object' }, { responseMimeType: 'application/json' }],
    [
      { type: 'json_schema', name: 'n', schema: { type: 'object', $defs: {} }, strict: true },
      { responseMimeType: 'application/json', responseJsonSchema: { type: 'object', $defs: {} } },
    ],
  ])('format %j', async (responseFormat, expected) => {
    expect((await harness().sent({ responseFormat })).generationConfig).toEqual(expected);
  });

  test.each(['functions', 'function_call'])('%s are refused, as out of date', async (name) => {
    const failure = await failureOf(harness().chat({ extra: { [name]: [{ name: 'f' }] } }));
    expect(failure).toMatchObject({ code: 'invalid_request', param: name });
  });

  test('a format that the vendor has not is refused', async () => {
    const responseFormat = { type: 'other' as const, value: { type: 'grammar' } };
    expect(await failureOf(harness().chat({ responseFormat }))).toMatchObject({ code: 'invalid_request', param: 'response_format' }); // prettier-ignore
  });

  test('the vendor’s own fields go along, those of the wire without a place are named', async () => {
    const request: Partial<ChatRequest> = {
      temperature: 1,
      extra: {
        ...{ safetySettings: [{ category: 'C', threshold: 'T' }], generationConfig: { temperature: 0, mediaResolution: 'LOW' } },
        ...{ user: 'u', parallel_tool_calls: false, logprobs: false, modalities: ['text'], stream_options: {} },
      },
    }; // prettier-ignore
    const body = await harness().sent(request);
    expect(body).toMatchObject({ safetySettings: [{ category: 'C', threshold: 'T' }] });
    expect(body.generationConfig).toEqual({ temperature: 1, mediaResolution: 'LOW' });
    expect(Object.keys(body).sort()).toEqual(['contents', 'generationConfig', 'safetySettings']);
    expect(await harness().ignoredBy(request)).toEqual(['user', 'parallel_tool_calls']);
  });
});

test.each(['../x', 'a?b', 'a&b', 'a#b', 'a%2Fb', 'a b', 'a\\b'])('the model name %p is refused', async (model) => {
  expect(await failureOf(harness().chat({ model }))).toMatchObject({ code: 'invalid_request', param: 'model' });
});
