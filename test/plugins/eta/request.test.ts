import type { ChatRequest, Message } from 'drivebay/plugin';
import { failureOf } from '../../http/open-pool';
import { call, calls, result, says, text } from '../messages';
import { answering, ETA, useVendor } from '../vendors';

const harness = useVendor(ETA);

beforeEach(() => void harness().upstream.answer(answering(ETA)));

/** The body that reaches the vendor, without the breakpoints. */
async function sent(fields: Partial<ChatRequest>) {
  const body: unknown = await harness().sent(fields);
  return JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === 'cache_control' ? undefined : value)));
}

/** The turns that reach the vendor. */
const turns = async (...messages: Message[]) => (await sent({ messages })).messages;
const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });

describe('messages', () => {
  test('of system and developer go to the one place for them, in order, wherever they stand', async () => {
    const instructions = [says('system', 'A'), says('developer', 'B'), says('system', 'C', 'D')] as const;
    const [a, b, c] = instructions;
    const body = await sent({ messages: [a, b, says('user', 'one'), c, says('user', 'two')] });
    expect(body.system).toEqual([text('A'), text('B'), text('C'), text('D')]);
    expect(body.messages).toEqual([user(text('one'), text('two'))]);
  });

  test('that are instructions only are what is answered', async () => {
    const body = await sent({ messages: [says('system', 'Say hello')] });
    expect(body).not.toHaveProperty('system');
    expect(body.messages).toEqual([user(text('Say hello'))]);
  });

  test('of one role that follow each other make one turn, and texts of white space make none', async () => {
    const said = [says('user', 'a', ' \n', 'b'), says('assistant', ''), says('user', 'c'), says('assistant', 'd')];
    expect(await turns(...said)).toEqual([user(text('a'), text('b'), text('c')), assistant(text('d'))]);
  });

  test('of tools make one turn with what the user says, results first', async () => {
    const results = [result('t1', 'one'), says('user', 'hurry'), result('t2', 'two')];
    expect((await turns(says('user', 'x'), calls(call('t1'), call('t2')), ...results)).slice(1)).toEqual([
      assistant(...['t1', 't2'].map((name) => ({ type: 'tool_use', id: name, name: 'f', input: { of: name } }))),
      user(
        { type: 'tool_result', tool_use_id: 't1', content: 'one' },
        { type: 'tool_result', tool_use_id: 't2', content: 'two' },
        text('hurry'),
      ),
    ]);
  });

  test('with calls of another vendor keep their pairs, whatever their ids and arguments hold', async () => {
    const id = (index: number) => `functions.f:${index}`;
    const parts = ['', '[1]', '{"cut', '{"a":1}'].map((given, index) => ({ ...call(id(index)), arguments: given }));
    const results = [result(id(0), ''), result(id(1), 'r')];
    const [, called, answered] = await turns(says('user', 'x'), calls(...parts), ...results);
    expect(called.content).toMatchObject([
      { id: 'functions_f_0', input: {} },
      { id: 'functions_f_1', input: { arguments: [1] } },
      { id: 'functions_f_2', input: { arguments: '{"cut' } },
      { id: 'functions_f_3', input: { a: 1 } },
    ]);
    expect(answered.content).toEqual([
      { type: 'tool_result', tool_use_id: 'functions_f_0' },
      { type: 'tool_result', tool_use_id: 'functions_f_1', content: 'r' },
    ]);
  });

  test('with a refusal beside the content keep it', async () => {
    const refused = { ...calls(), extra: { refusal: 'I will not' } };
    expect((await turns(says('user', 'x'), refused, says('user', 'y')))[1]).toEqual(assistant(text('I will not')));
  });

  test('with calls that are no functions are refused by their place', async () => {
    const strange = { ...calls(), extra: { tool_calls: [{ type: 'custom' }] } };
    const refusal = { code: 'invalid_request', param: 'messages[1].tool_calls' };
    expect(await failureOf(harness().chat({ messages: [says('user', 'x'), strange] }))).toMatchObject(refusal);
  });
});

describe('parts', () => {
  const base64 = (media_type: string, data = 'QUJD') => ({ type: 'base64', media_type, data });
  const image = (source: object) => ({ type: 'image', source });
  const document = (source: object, title?: string) => ({ type: 'document', source, ...(title && { title }) });
  const pdf = 'data:application/pdf;base64,QUJD';
  const csv = 'data:text/csv;charset=utf-8;base64,QUJD';
  const block = { type: 'search_result', source: 's' };
  const plain = { type: 'text', media_type: 'text/plain', data: 'ABC' };

  test.each<[string, Message['parts'][number], object]>([
    ['an inline image', { type: 'image', url: 'data:image/PNG;base64,QUJD' }, image(base64('image/png'))],
    ['an image elsewhere', { type: 'image', url: 'https://x/y.png' }, image({ type: 'url', url: 'https://x/y.png' })],
    ['an inline PDF', { type: 'image', url: pdf }, document(base64('application/pdf'))],
    ['a file', { type: 'file', data: pdf, filename: 'a.pdf' }, document(base64('application/pdf'), 'a.pdf')],
    ['a bare file', { type: 'file', data: 'QUJD' }, document(base64('application/pdf'))],
    ['a text file', { type: 'file', data: csv }, document(plain)],
    ['a stored file', { type: 'file', id: 'file_1' }, document({ type: 'file', file_id: 'file_1' })],
    ['a block of the vendor', { type: 'other', value: block }, block],
    ['a refusal', { type: 'other', value: { type: 'refusal', refusal: 'No.' } }, text('No.')],
  ])('%s', async (_, part, expected) => {
    expect(await turns({ role: 'user', parts: [part] })).toEqual([user(expected)]);
  });

  test('images come back from tools, too', async () => {
    const content = [{ type: 'image' as const, url: 'data:image/png;base64,QUJD' }];
    const shot: Message = { role: 'tool', parts: [{ type: 'tool_result', callId: 't', content }] };
    const [, , answered] = await turns(says('user', 'x'), calls(call('t')), shot);
    expect(answered.content[0].content).toEqual([image(base64('image/png'))]);
  });

  test.each(['data:image/png,raw', 'data:;base64,QUJD', 'file:///etc/passwd', 'data:image/png;base64'])(
    'the image %s is refused by its place',
    async (url) => {
      const look: Message = { role: 'user', parts: [text('look'), { type: 'image', url }] };
      const refusal = { code: 'invalid_request', param: 'messages[1].content[1]' };
      expect(await failureOf(harness().chat({ messages: [says('system', 's'), look] }))).toMatchObject(refusal);
      expect(harness().upstream.requests).toHaveLength(0);
    },
  );
});

describe('the limit', () => {
  test('is 8192 unless the client names another one', async () => {
    expect((await sent({})).max_tokens).toBe(8192);
    expect((await sent({ maxTokens: 100_000 })).max_tokens).toBe(100_000);
  });
});

describe('tools', () => {
  const tools = [{ name: 'f', description: 'd', parameters: { properties: { a: { type: 'string' } } }, strict: true }];

  test('have a schema of an object, and go as they are where they are the vendor’s own', async () => {
    const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 };
    const raw = { type: 'function', function: { name: 'g', defer_loading: true }, eager_input_streaming: true };
    const custom = { type: 'custom', custom: { name: 'c' } };
    const further = [
      { name: 'web_search_20250305', raw: search },
      { name: 'g', raw },
      { name: 'custom', raw: custom },
    ];
    const request = { tools: [...tools, ...further] };
    const body = await sent(request);
    const input_schema = { type: 'object', properties: { a: { type: 'string' } } };
    expect(body.tools).toEqual([
      { name: 'f', description: 'd', input_schema, strict: true },
      search,
      { name: 'g', input_schema: { type: 'object' }, defer_loading: true, eager_input_streaming: true },
    ]);
    expect(await harness().ignoredBy(request)).toEqual(['tools[3]']);
  });

  test('have one object in place of oneOf, anyOf or allOf at the top, which the vendor refuses', async () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    const parameters = { type: 'object', properties, anyOf: [{ required: ['a'] }, { required: ['b'] }] };
    const body = await sent({ tools: [{ name: 'f', parameters }] });
    expect(body.tools).toEqual([{ name: 'f', input_schema: { type: 'object', properties } }]);
  });

  test.each<[ChatRequest['toolChoice'], boolean | undefined, object | undefined]>([
    [undefined, undefined, undefined],
    [undefined, false, { type: 'auto', disable_parallel_tool_use: true }],
    [{ type: 'auto' }, true, { type: 'auto' }],
    [{ type: 'none' }, false, { type: 'none' }],
    [{ type: 'required' }, undefined, { type: 'any' }],
    [{ type: 'tool', name: 'f' }, false, { type: 'tool', name: 'f', disable_parallel_tool_use: true }],
    [{ type: 'other', value: { type: 'any' } }, undefined, { type: 'any' }],
  ])('choice %j, parallel %s', async (toolChoice, parallel, expected) => {
    const extra = parallel === undefined ? {} : { parallel_tool_calls: parallel };
    const request = { tools, extra, ...(toolChoice && { toolChoice }) };
    const body = await sent(request);
    expect(body.tool_choice).toEqual(expected);
    expect(body).not.toHaveProperty('parallel_tool_calls');
    expect(await harness().ignoredBy(request)).toEqual([]);
  });

  test('a choice that has no equivalent is refused', async () => {
    const toolChoice = { type: 'other' as const, value: { type: 'allowed_tools' } };
    expect(await failureOf(harness().chat({ tools, toolChoice }))).toMatchObject({
      code: 'invalid_request',
      param: 'tool_choice',
    });
  });
});

describe('further fields', () => {
  test('of the vendor and unknown ones go as they are, those without an equivalent are named', async () => {
    const own = { top_k: 5, container: 'c', brand_new: 1 };
    const foreign = { seed: 3, user: 'u', audio: { voice: 'v' }, metadata: { a: 'b' }, service_tier: 'flex' };
    const extra = { ...own, ...foreign, stream_options: {} };
    const request = { stop: ['END'], temperature: 1.7, topP: 0.3, extra };
    const body = await sent(request);
    expect(body).toMatchObject({ ...own, stop_sequences: ['END'], temperature: 1.7, top_p: 0.3 });
    expect(await harness().ignoredBy(request)).toEqual(['seed', 'user', 'audio', 'metadata', 'service_tier']);
    expect(body).not.toHaveProperty('stream_options');
  });

  test('never become headers', async () => {
    await sent({ extra: { workspace_id: 'w', user_profile_id: 'p' } });
    const { headers, body } = harness().upstream.requests[0]!;
    expect(body).toMatchObject({ workspace_id: 'w', user_profile_id: 'p' });
    expect(Object.keys(headers).join()).not.toMatch(/workspace|profile/);
  });

  test('that are out of date are refused', async () => {
    expect(await failureOf(harness().chat({ extra: { functions: [{}] } }))).toMatchObject({ param: 'functions' });
  });

  test('cannot replace known ones', async () => {
    const body = await sent({ stream: false, extra: { messages: [], stream: true, model: 'evil', max_tokens: 1 } });
    expect(body).toMatchObject({ model: 'm', max_tokens: 8192, messages: [{ role: 'user' }] });
    expect(body).not.toHaveProperty('stream');
  });
});

describe('the response format', () => {
  test('with a schema is the vendor’s output format, beside the effort', async () => {
    const schema = { type: 'object', additionalProperties: false };
    const body = await sent({ responseFormat: { type: 'json_schema', name: 'n', schema }, reasoningEffort: 'Low' });
    expect(body.output_config).toEqual({ effort: 'Low', format: { type: 'json_schema', schema } });
  });

  test('without a schema has no equivalent and is named', async () => {
    const request = { responseFormat: { type: 'json_object' as const } };
    expect(await sent(request)).not.toHaveProperty('output_config');
    expect(await harness().ignoredBy(request)).toEqual(['response_format']);
  });

  test('of another kind is refused', async () => {
    const responseFormat = { type: 'other' as const, value: { type: 'grammar' } };
    expect(await failureOf(harness().chat({ responseFormat }))).toMatchObject({ param: 'response_format' });
  });
});
