import { requestFields } from '../../../../core/gateway/dialects/chat-completions/request-fields';
import { parseRequest } from '../../../../core/gateway/dialects/chat-completions/parse-request';

const BASE = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

const parse = (fields: Record<string, unknown>) => parseRequest(Buffer.from(JSON.stringify({ ...BASE, ...fields })));

const NUMBERS = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty'];
/** What a refused request throws. */
const refused = (fields: Record<string, unknown>) =>
  expect.objectContaining({ status: 400, code: 'invalid_request', ...fields }) as Error;

/** Each field with a value of a wrong type. */
const fields = Object.keys(requestFields.shape).map((name) => [name, NUMBERS.includes(name) ? 'x' : 5.5] as const);

test('the fields of the contract are translated, everything else is extra', () => {
  const { chat, requestedModel } = parse({
    stream: true,
    temperature: 0.5,
    top_p: 0.9,
    max_tokens: 10,
    n: 2,
    stop: 'END',
    reasoning_effort: 'HIGH',
    seed: 7,
    logit_bias: { 50256: -100 },
    thinking: { type: 'enabled' },
    top_k: 40,
  });
  expect(requestedModel).toBe('m');
  expect(chat).toEqual({
    stream: true,
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    temperature: 0.5,
    topP: 0.9,
    maxTokens: 10,
    choices: 2,
    stop: ['END'],
    reasoningEffort: 'HIGH',
    extra: { seed: 7, logit_bias: { 50256: -100 }, thinking: { type: 'enabled' }, top_k: 40 },
  });
});

test('null means absent', () => {
  const names = fields.map(([name]) => name).filter((name) => name !== 'model' && name !== 'messages');
  const { chat } = parse(Object.fromEntries(names.map((name) => [name, null])));
  expect(chat).toEqual({ stream: false, messages: expect.anything(), extra: {} });
});

test('max_completion_tokens wins over max_tokens', () => {
  expect(parse({ max_tokens: 1, max_completion_tokens: 2 }).chat.maxTokens).toBe(2);
});

test("include_usage is the gateway's to know", () => {
  expect(parse({ stream_options: { include_usage: true } }).includeUsage).toBe(true);
  expect(parse({ stream_options: {} }).includeUsage).toBe(false);
});

test.each([...fields, ['model', null], ['messages', null]] as const)('%s: %j is refused by name', (name, value) => {
  const refusal = refused({ param: name, message: expect.stringContaining(name) });
  expect(() => parse({ [name]: value })).toThrow(refusal);
});

test.each([
  [{ model: undefined }, 'model: found nothing, expected a text that is not empty'],
  [{ model: '' }, 'model: found an empty text, expected a text that is not empty'],
  [{ messages: [] }, 'messages: found a list of 0, expected a list of at least 1 item'],
  [{ messages: 'Hi' }, 'messages: found a text, expected a list of at least 1 item'],
  [{ stop: 5 }, 'stop: found the number 5, expected a text or a list of texts'],
  [{ stop: ['a', 5] }, 'stop[1]: found the number 5, expected a text'],
  [{ temperature: 'hot' }, 'temperature: found a text, expected a number'],
  [{ max_tokens: 1.5 }, 'max_tokens: found the number 1.5, expected a whole number'],
  [{ max_tokens: '5' }, 'max_tokens: found a text, expected a whole number'],
  [{ stream: 1 }, 'stream: found the number 1, expected true or false'],
  [{ response_format: 'json' }, 'response_format: found a text, expected an object'],
  [{ response_format: {} }, 'response_format.type: found nothing, expected a text'],
  [{ stream_options: { include_usage: 'x' } }, 'stream_options.include_usage: found a text, expected true or false'],
  [{ tool_choice: {} }, 'tool_choice.type: found nothing, expected a text'],
  [{ tool_choice: [] }, 'tool_choice: found a list, expected a text or an object'],
  [{ logit_bias: { 5: 'x' } }, 'logit_bias.5: found a text, expected a number'],
  [{ tools: [{ function: {} }] }, 'tools[0].type: found nothing, expected a text'],
  [{ tools: [{ type: 'function' }] }, 'tools[0].function: found nothing, expected an object'],
  [{ tools: [{ type: 'function', function: [] }] }, 'tools[0].function: found a list, expected an object'],
  [
    { tools: [{ type: 'function', function: { name: 5 } }] },
    'tools[0].function.name: found the number 5, expected a text that is not empty',
  ],
  [
    { tools: [{ type: 'function', function: { name: 'f', parameters: 'x' } }] },
    'tools[0].function.parameters: found a text, expected an object',
  ],
])('%j is refused in our own words', (fields, message) => {
  const param = message.slice(0, message.indexOf(':'));
  expect(() => parse(fields)).toThrow(refused({ param, message }));
});

test('a text that is refused is not repeated: it may be a prompt, and the log shows messages', () => {
  const message = expect.not.stringContaining('secret');
  expect(() => parse({ messages: 'my secret plan' })).toThrow(refused({ message }));
});

test("ranges are the vendor's business", () => {
  expect(parse({ temperature: 99, top_p: -1, max_tokens: -5 }).chat).toMatchObject({ temperature: 99, topP: -1 });
  expect(parse({ n: 0 }).chat.choices).toBe(0);
  expect(() => parse({ seed: 2 ** 63 })).not.toThrow();
});

test.each([
  ['nothing', '', /no body/],
  ['half an object', '{"model":', /not valid JSON/],
  ['a list', '[]', /JSON object/],
  ['a text', '"x"', /JSON object/],
  ['null', 'null', /JSON object/],
])('%s as body is refused', (_name, body, message) => {
  const refusal = refused({ param: undefined, message: expect.stringMatching(message) });
  expect(() => parseRequest(Buffer.from(body))).toThrow(refusal);
});

test('a mark of the byte order in front of a body is no part of it', () => {
  const body = '\uFEFF{"model":"m","messages":[{"role":"user","content":"\uFEFFx"}]}';
  expect(parseRequest(Buffer.from(body)).chat.messages[0]!.parts).toEqual([{ type: 'text', text: '\uFEFFx' }]);
});

test('200 levels of nesting pass, and a million are refused without running out of stack', () => {
  const nested = (depth: number) =>
    `{"model":"m","messages":[{"role":"user","content":"x"}],"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  expect(() => parseRequest(Buffer.from(nested(199)))).not.toThrow();
  for (const depth of [250, 1_000_000]) {
    expect(() => parseRequest(Buffer.from(nested(depth)))).toThrow(refused({}));
  }
});

test('__proto__ is a name like any other and pollutes nothing', () => {
  const body =
    '{"model":"m","messages":[{"role":"user","content":"x","__proto__":{"role":"system"}}],"__proto__":{"stream":true}}';
  const { chat } = parseRequest(Buffer.from(body));
  expect(chat.stream).toBe(false);
  expect(chat.messages[0]?.role).toBe('user');
  expect(({} as Record<string, unknown>).stream).toBeUndefined();
});

describe('tools', () => {
  const plain = {
    type: 'function',
    function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true },
  };

  test('a plain function needs no copy of the original', () => {
    expect(parse({ tools: [plain] }).chat.tools).toEqual([
      { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true },
    ]);
  });

  test('a function with more to it, and any other tool, is kept as it was sent', () => {
    const rich = { ...plain, cache_control: { type: 'ephemeral' } };
    const other = { type: 'web_search', filters: [] };
    expect(parse({ tools: [rich, other] }).chat.tools).toMatchObject([
      { name: 'f', raw: rich },
      { name: 'web_search', raw: other },
    ]);
  });

  test('no tools are the same as none mentioned', () => {
    expect(parse({ tools: [] }).chat.tools).toBeUndefined();
    // Vendors refuse a choice without tools.
    expect(parse({ tools: [], tool_choice: 'auto' }).chat.toolChoice).toBeUndefined();
    expect(parse({ tools: [], tool_choice: 'required' }).chat.toolChoice).toEqual({ type: 'required' });
  });

  test.each([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'required' }],
    [
      { type: 'function', function: { name: 'f' } },
      { type: 'tool', name: 'f' },
    ],
    ['any', { type: 'other', value: 'any' }],
    [
      { type: 'allowed_tools', allowed_tools: {} },
      { type: 'other', value: { type: 'allowed_tools', allowed_tools: {} } },
    ],
  ])('tool_choice %j', (choice, expected) => {
    expect(parse({ tool_choice: choice }).chat.toolChoice).toEqual(expected);
  });
});

test.each([
  [{ type: 'text' }, { type: 'text' }],
  [{ type: 'json_object' }, { type: 'json_object' }],
  [
    { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
    { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true },
  ],
  [
    { type: 'grammar', grammar: 'x' },
    { type: 'other', value: { type: 'grammar', grammar: 'x' } },
  ],
])('response_format %j', (format, expected) => {
  expect(parse({ response_format: format }).chat.responseFormat).toEqual(expected);
});
