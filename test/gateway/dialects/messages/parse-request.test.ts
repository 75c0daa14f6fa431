import { randomBytes } from 'node:crypto';
import type { ChatRequest } from '../../../../core/contract/api';
import { openOrigin } from '../../../../core/contract/carried';
import { Carriers } from '../../../../core/gateway/carriers';
import { parseRequest } from '../../../../core/gateway/dialects/messages/parse-request';
import type { Json } from '../../wire';

const carriers = new Carriers(() => randomBytes(32));
const HELLO = [{ role: 'user', content: 'Hello' }];
const parse = (fields: Json, headers = {}) =>
  parseRequest(Buffer.from(JSON.stringify({ max_tokens: 100, messages: HELLO, ...fields })), headers, carriers);
const chatOf = (fields: Json) => parse(fields).chat;
/** The messages, each as its role and parts. */
const told = (fields: Json) => chatOf(fields).messages.map(({ role, parts }) => [role, ...parts]);
const saying = (content: unknown, role = 'user') => told({ messages: [{ role, content }] });
const text = (value: string) => ({ type: 'text', text: value });

const TITLE = {
  type: 'object',
  properties: { title: { type: 'string' } },
  required: ['title'],
  additionalProperties: false,
};

test.each<[string, Json, Partial<ChatRequest>]>([
  ['a limit', { max_tokens: 7 }, { maxTokens: 7 }],
  ['sampling', { temperature: 0.5, top_p: 0.1, top_k: 3 }, { temperature: 0.5, topP: 0.1, extra: { top_k: 3 } }],
  ['ends', { stop_sequences: ['x'] }, { stop: ['x'] }],
  ['a limit that means none, as the configuration says it', { max_tokens: 0 }, { maxTokens: undefined }],
  ["a wrong limit, which is the vendor's to judge", { max_tokens: -1 }, { maxTokens: -1 }],
  ['no ends', { stop_sequences: [] }, {}],
  ['an effort', { output_config: { effort: 'max' }, thinking: { type: 'adaptive' } }, { reasoningEffort: 'max' }],
  ['a small budget', { thinking: { type: 'enabled', budget_tokens: 1024 } }, { reasoningEffort: 'low' }],
  ['a budget', { thinking: { type: 'enabled', budget_tokens: 8192 } }, { reasoningEffort: 'medium' }],
  ['a large budget', { thinking: { type: 'enabled', budget_tokens: 31999 } }, { reasoningEffort: 'high' }],
  ['no thinking', { thinking: { type: 'disabled' } }, {}],
  [
    'a form',
    { output_config: { format: { type: 'json_schema', schema: TITLE } } },
    { responseFormat: { type: 'json_schema', name: 'output', schema: TITLE, strict: true } },
  ],
  [
    'a form that leaves something open, which other wires refuse as strict',
    { output_config: { format: { type: 'json_schema', schema: { ...TITLE, required: [] } } } },
    { responseFormat: { type: 'json_schema', name: 'output', schema: { ...TITLE, required: [] } } },
  ],
  [
    'a form, as older SDKs ask for it',
    { output_format: { type: 'json_schema', schema: TITLE } },
    { responseFormat: { type: 'json_schema', name: 'output', schema: TITLE, strict: true } },
  ],
  ['null, which counts as absent', { temperature: null, tools: null, system: null, thinking: null, stream: null }, {}],
  ['what only a backend of this wire knows', { metadata: { user_id: 'x' }, context_management: {}, betas: [] }, {}],
])('%s', (_name, fields, expected) => {
  const { origin, messages, ...chat } = chatOf(fields);
  expect(messages).toHaveLength(1);
  expect(origin?.api).toBe('messages');
  expect(chat).toEqual({ stream: false, maxTokens: 100, extra: {}, ...expected });
});

test('tools and the choice among them', () => {
  const tools = [
    {
      name: 'f',
      description: 'd',
      input_schema: { type: 'object' },
      strict: true,
      cache_control: {},
      defer_loading: true,
    },
    { type: 'custom', name: 'g' },
    { type: 'bash_20250124', name: 'bash' },
  ];
  const { chat, ownFields } = parse({ tools, tool_choice: { type: 'any', disable_parallel_tool_use: true } });
  expect(chat.tools).toEqual([
    { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true },
    { name: 'g' },
  ]);
  expect(chat).toMatchObject({ toolChoice: { type: 'required' }, extra: { parallel_tool_calls: false } });
  expect(ownFields).toEqual(['tools[2]']);
  expect(chatOf({ tools, tool_choice: { type: 'tool', name: 'f' } }).toolChoice).toEqual({ type: 'tool', name: 'f' });
  expect(chatOf({ tool_choice: { type: 'auto' }, tools: [] })).not.toHaveProperty('toolChoice');
  const ofLeftOut = parse({ tools, tool_choice: { type: 'tool', name: 'bash' } });
  expect([ofLeftOut.chat.toolChoice, ofLeftOut.ownFields]).toEqual([undefined, ['tools[2]', 'tool_choice']]);
});

describe('the system prompt', () => {
  test('is one message, without the line that tells which program asks', () => {
    const system = [text('x-anthropic-billing-header: cc_version=1;'), { ...text('a'), cache_control: {} }, text('')];
    expect(told({ system })).toEqual([
      ['system', text('a')],
      ['user', text('Hello')],
    ]);
    expect(told({ system: 'b' })[0]).toEqual(['system', text('b')]);
  });

  test('entries that come later are reminders', () => {
    const messages = [...HELLO, { role: 'system', content: 'c' }];
    expect(told({ system: 'a', messages })).toEqual([
      ['system', text('a')],
      ['user', text('Hello'), text('<system-reminder>\nc\n</system-reminder>')],
    ]);
  });
});

test.each<[string, unknown, unknown[]]>([
  ['empty texts', [text(''), text('a')], [text('a')]],
  [
    'images',
    [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
      { type: 'image', source: { type: 'url', url: 'http://x/y' } },
      { type: 'image', source: { type: 'file', file_id: 'f' } },
    ],
    [
      { type: 'image', url: 'data:image/png;base64,AA' },
      { type: 'image', url: 'http://x/y' },
      text('[an image that cannot be shown here]'),
    ],
  ],
  [
    'documents',
    [
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA' } },
      {
        type: 'document',
        title: 'Report',
        context: 'of May',
        source: { type: 'base64', media_type: 'application/pdf', data: 'BB' },
      },
      { type: 'document', title: 't', source: { type: 'text', data: 'said' } },
      { type: 'document', source: { type: 'content', content: [text('b')] } },
      { type: 'document', source: { type: 'url', url: 'http://x/y' } },
    ],
    [
      { type: 'file', data: 'data:application/pdf;base64,AA', filename: 'document.pdf' },
      text('of May'),
      { type: 'file', data: 'data:application/pdf;base64,BB', filename: 'Report.pdf' },
      ...[text('t'), text('said'), text('b'), text('[a document that cannot be shown here: http://x/y]')],
    ],
  ],
  [
    'results of a search',
    [{ type: 'search_result', title: 't', source: 'http://x', content: [text('a')] }],
    [text('t\nhttp://x'), text('a')],
  ],
  ['kinds that are not known', [{ type: 'server_tool_use', id: 'x' }, { type: 'new_kind' }, text('a')], [text('a')]],
])('%s of a user', (_name, content, parts) => {
  expect(saying(content)).toEqual([['user', ...parts]]);
});

describe('results of tools', () => {
  const result = (fields: Json) => ({ type: 'tool_result', tool_use_id: 'x', ...fields });
  const contentOf = (fields: Json) => {
    const part = chatOf({ messages: [{ role: 'user', content: [result(fields)] }] }).messages[0]!.parts[0]!;
    return part.type === 'tool_result' ? part.content : part;
  };

  test('come first, each in a message of its own', () => {
    const content = [text('and'), result({ content: 'a' }), result({ tool_use_id: 'y', content: [text('b')] })];
    expect(saying(content)).toEqual([
      ['tool', { type: 'tool_result', callId: 'x', content: [text('a')] }],
      ['tool', { type: 'tool_result', callId: 'y', content: [text('b')] }],
      ['user', text('and')],
    ]);
  });

  test.each<[string, Json, unknown[]]>([
    ['nothing', {}, []],
    [
      'an image',
      { content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A' } }] },
      [{ type: 'image', url: 'data:image/png;base64,A' }],
    ],
    [
      'a tool that is there now',
      { content: [{ type: 'tool_reference', tool_name: 'f' }] },
      [text('The tool f is available now.')],
    ],
    ['a failure that says so', { is_error: true, content: 'Exit code 3' }, [text('Exit code 3')]],
    ['a failure that does not', { is_error: true, content: 'oops' }, [text('Error: oops')]],
    ['a failure without words', { is_error: true }, [text('Error')]],
  ])('%s', (_name, fields, content) => {
    expect(contentOf(fields)).toEqual(content);
  });
});

describe('an answer of an earlier turn', () => {
  test('keeps the order of its blocks; a vendor’s signature stays with the client', () => {
    const content = [
      { type: 'thinking', thinking: 'a', signature: 'EqQB' },
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'redacted_thinking', data: 'x' },
      text('b'),
      { type: 'tool_use', id: 'x', name: 'f', input: { a: 1 } },
      { type: 'tool_use', id: 'y', name: 'g' },
      { type: 'tool_use', id: 'z', name: 'h', input: '["not", "an object"' },
    ];
    expect(saying(content, 'assistant')).toEqual([
      [
        'assistant',
        { type: 'reasoning', text: 'a' },
        text('b'),
        { type: 'tool_call', id: 'x', name: 'f', arguments: '{"a":1}' },
        { type: 'tool_call', id: 'y', name: 'g', arguments: '{}' },
        { type: 'tool_call', id: 'z', name: 'h', arguments: '"[\\"not\\", \\"an object\\""' },
      ],
    ]);
  });

  test('without anything is left out', () => {
    expect(told({ messages: [...HELLO, { role: 'assistant', content: [] }, ...HELLO] })).toHaveLength(2);
  });
});

describe('the request for a backend of this wire', () => {
  test('is what the client sent, with its headers of the wire, and never a key', () => {
    const body = {
      zeta: 1,
      max_tokens: 5,
      model: 'm',
      messages: HELLO,
      system: [text('x-anthropic-billing-header: x')],
    };
    const headers = {
      'anthropic-beta': 'a,b',
      'anthropic-version': '2023-06-01',
      'x-api-key': 'k',
      authorization: 'k',
    };
    const { origin } = parseRequest(Buffer.from(JSON.stringify(body)), headers, carriers).chat;
    expect(JSON.stringify(origin?.body)).toBe(JSON.stringify(body));
    expect(origin?.headers).toEqual({ 'anthropic-beta': 'a,b', 'anthropic-version': '2023-06-01' });
  });

  test('gets its own blocks back where a packed one holds them, and no other packed one', () => {
    const bodyFor = (maker: string, messages: Json[]) => openOrigin(chatOf({ messages }).origin, maker)?.body.messages;
    const own = { type: 'thinking', thinking: 'a', signature: 'EqQB' };
    const kept = carriers.pack({ maker: 'd/p', extra: { thinking_blocks: [own] } });
    const foreign = carriers.pack({ maker: 'd/p', extra: { other: 1 } });
    const thinking = (signature: string) => ({ type: 'thinking', thinking: 'a', signature });
    const messages = [
      ...HELLO,
      { role: 'assistant', content: [thinking(kept), text('b'), thinking(foreign)] },
      { role: 'assistant', content: [thinking(foreign)] },
    ];
    expect(bodyFor('d/p', messages)).toEqual([...HELLO, { role: 'assistant', content: [own, text('b')] }]);
    expect(bodyFor('d/q', messages)).toEqual([...HELLO, { role: 'assistant', content: [text('b')] }]);
  });
});

test.each<[unknown, unknown[]]>([
  [text('r'), [text('r')]],
  [{ rows: 2 }, [text('{"rows":2}')]],
  [undefined, []],
])('a result that is %j is read', (content, expected) => {
  const result = { type: 'tool_result', tool_use_id: 'x', content };
  expect(saying([result])).toEqual([['tool', { type: 'tool_result', callId: 'x', content: expected }]]);
});

test('unknown betas, fields, blocks and tools are not an error', () => {
  const messages = [{ role: 'user', content: [{ type: 'hologram', data: 1 }, text('Hi')], mood: 'x' }];
  const fields = { messages, from_the_future: { a: 1 }, thinking: { type: 'deep' }, output_config: { tone: 'x' } };
  const { chat, ownFields } = parse(
    { ...fields, tools: [{ name: 'f', colour: 'red' }], context_management: {}, speed: 'fast' },
    { 'anthropic-beta': 'unknown-2099-01-01' },
  );
  expect(ownFields).toEqual(['from_the_future', 'speed']);
  expect(chat.messages).toEqual([{ role: 'user', parts: [text('Hi')] }]);
  expect(chat.origin).toMatchObject({ body: fields, headers: { 'anthropic-beta': 'unknown-2099-01-01' } });
});

test('the prefix of two following requests is the same, up to the new turn', () => {
  const turn = (n: number) => [
    { role: 'user', content: [text(`question ${n}`)] },
    { role: 'system', content: `note ${n}` },
    { role: 'assistant', content: [{ type: 'tool_use', id: `c${n}`, name: 'f', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${n}`, content: 'r' }] },
    { role: 'assistant', content: [text(`answer ${n}`)] },
  ];
  const first = chatOf({ system: 'a', messages: turn(1) }).messages;
  const second = chatOf({ system: 'a', messages: [...turn(1), ...turn(2)] }).messages;
  expect(JSON.stringify(second.slice(0, first.length))).toBe(JSON.stringify(first));
});

describe('a summary of the vendor', () => {
  const compaction = (content: string | null, more: Json = {}) => ({ type: 'compaction', content, ...more });
  const conversation = (...content: Json[]) => ({
    messages: [
      { role: 'user', content: 'Old' },
      { role: 'assistant', content },
      { role: 'user', content: 'New' },
    ],
  });

  test('stands for all that is before it, in the words of a user', () => {
    const [summary, ...rest] = told(conversation(text('Older'), compaction('They said hello.'), text('Hi')));
    expect(summary).toEqual([
      'user',
      text(expect.stringMatching(/replaced by this summary of it:\n\nThey said hello\.$/)),
    ]);
    expect(rest).toEqual([
      ['assistant', text('Hi')],
      ['user', text('New')],
    ]);
    expect(told(conversation(compaction('S'))).map(([role]) => role)).toEqual(['user', 'user']);
  });

  test('that has failed says nothing', () => {
    for (const content of [null, '']) {
      expect(told(conversation(compaction(content), text('Hi')))).toEqual([
        ['user', text('Old')],
        ['assistant', text('Hi')],
        ['user', text('New')],
      ]);
    }
  });
});

describe('tools that come and go in the middle of a conversation', () => {
  const named = (name: string) => ({ type: 'tool_reference', name });
  const change = (type: string, tool: Json) => ({ type: `tool_${type}`, tool });
  const defined = (name: string, description = name) => ({
    type: 'tool_definition',
    definition: { name, description, input_schema: { type: 'object' } },
  });
  const offered = (tools: Json[] | undefined, ...content: Json[]) =>
    chatOf({ tools, messages: [...HELLO, { role: 'system', content }] }).tools?.map(({ name, description }) => [
      name,
      description,
    ]);

  test.each<[string, Json[] | undefined, Json[], string[][] | undefined]>([
    ['one comes', [{ name: 'a' }], [change('addition', defined('b'))], [['a'], ['b', 'b']]],
    ['one comes where none was', undefined, [change('addition', defined('b'))], [['b', 'b']]],
    ['one is described anew', [{ name: 'a' }], [change('addition', defined('a', 'new'))], [['a', 'new']]],
    ['one goes', [{ name: 'a' }, { name: 'b' }], [change('removal', named('a'))], [['b']]],
    ['the last one goes', [{ name: 'a' }], [change('removal', named('a'))], undefined],
    [
      'one goes and comes back',
      [{ name: 'a' }],
      [change('removal', named('a')), change('addition', named('a'))],
      [['a']],
    ],
    [
      'a summary tells of them',
      [{ name: 'a' }],
      [{ type: 'compaction', content: 'x', tool_changes: [change('addition', defined('b'))] }],
      [['a'], ['b', 'b']],
    ],
    [
      'garbage',
      [{ name: 'a' }],
      [change('addition', {}), { type: 'tool_removal' }, change('removal', named('x'))],
      [['a']],
    ],
  ])('%s', (_name, tools, content, expected) => {
    expect(offered(tools, ...content)).toEqual(expected?.map(([name, description]) => [name, description]));
  });
});

test.each<[string, Json, string]>([
  ['a search result', { type: 'search_result', content: ['x'] }, 'messages[0].content[1].content[0]'],
  [
    'a document',
    { type: 'document', source: { type: 'content', content: ['x'] } },
    'messages[0].content[1].source.content[0]',
  ],
])('a wrong entry inside of %s is refused with its whole path', (_, block, param) => {
  const content = [text('Hi'), block];
  expect(() => parse({ messages: [{ role: 'user', content }] })).toThrow(expect.objectContaining({ param }) as Error);
});
