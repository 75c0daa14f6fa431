import type { ChatRequest } from 'drivebay/plugin';
import type { RunningGateway } from '../../../setup/running-gateway';
import { stop, text, useScripted } from '../../scripted-driver';
import { errorOf, type Json } from '../../wire';
import { last, respond, streamed } from './responses-wire';

let gateway: RunningGateway;
const yaml = `version: "1"
default_provider: main
providers:
  - { name: main, driver: scripted, default_model: m-1 }
  - { name: other, driver: scripted, default_model: m-1 }
  - { name: plain, driver: plain, default_model: p-1 }
  - { name: agent, driver: agent, default_model: a-1 }
`;
useScripted(
  (started) => (gateway = started),
  () => ({ yaml }),
);

/** What the driver got. */
async function received(fields: Record<string, unknown>, headers = {}): Promise<ChatRequest> {
  const response = await respond(gateway, [{ echo: 'request' }, stop], fields, headers);
  const body = (await response.json()) as Json;
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return JSON.parse(body.output[0].content[0].text) as ChatRequest;
}

async function refused(fields: Record<string, unknown>): Promise<[number, string | null, string]> {
  const response = await respond(gateway, [text('Hi'), stop], fields);
  const { param, code } = errorOf(await response.text());
  return [response.status, param, code];
}

const user = (content: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text: content }] });
const said = (value: string) => ({ role: 'user', parts: [{ type: 'text', text: value }] });

test('settings become fields of the request', async () => {
  const format = { type: 'json_schema', name: 'out', strict: true, schema: { type: 'object' } };
  expect(
    await received({
      instructions: 'Be brief.',
      reasoning: { effort: 'high', summary: 'auto' },
      text: { format, verbosity: 'low' },
      max_output_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      parallel_tool_calls: false,
    }),
  ).toMatchObject({
    model: 'm-1',
    stream: false,
    messages: [{ role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }, said('Hi')],
    reasoningEffort: 'high',
    responseFormat: format,
    maxTokens: 50,
    temperature: 0.5,
    topP: 0.9,
    extra: { verbosity: 'low', parallel_tool_calls: false },
  });
});

test('what is the default anyway, or for one vendor only, stays out of the fields for chat servers', async () => {
  const { extra, origin } = await received({
    parallel_tool_calls: true,
    prompt_cache_key: 'thread-1',
    client_metadata: { installation: 'x' },
    service_tier: 'flex',
  });
  expect(extra).toEqual({});
  expect(origin!.body).toMatchObject({ prompt_cache_key: 'thread-1', service_tier: 'flex' });
  expect(origin!.body).not.toHaveProperty('client_metadata');
});

test('a backend of the same wire gets the request as it was sent, with the headers of features and no other', async () => {
  const fields = { input: [user('Hi')], tools: [{ type: 'web_search' }], store: false, some_field: { a: 1 } };
  const headers = { 'openai-beta': 'x=1', authorization: 'Bearer secret', 'x-api-key': 'secret', 'session-id': 's' };
  const { origin } = await received(fields, headers);
  expect(origin).toMatchObject({
    api: 'responses',
    body: { model: 'main', ...fields },
    headers: { 'openai-beta': 'x=1' },
  });
  expect(Object.keys(origin!.headers)).toEqual(['openai-beta']);
});

test('files and images are read in each form in which clients send them', async () => {
  const content = [
    { type: 'input_file', file_url: 'https://x/a.pdf' },
    { type: 'input_file', file_data: 'JVBERi0xLjQ=', filename: 'a.pdf' },
    { type: 'input_file', file_data: 'AAAA' },
    { type: 'input_image', image_url: { url: 'https://x/b.png', detail: 'low' } },
    { type: 'image_url', image_url: { url: 'https://x/c.png' } },
  ];
  const { messages } = await received({ input: [{ role: 'user', content }] });
  expect(messages[0]!.parts).toEqual([
    { type: 'file', data: 'https://x/a.pdf' },
    { type: 'file', data: 'data:application/pdf;base64,JVBERi0xLjQ=', filename: 'a.pdf' },
    { type: 'file', data: 'data:application/octet-stream;base64,AAAA' },
    { type: 'image', url: 'https://x/b.png', detail: 'low' },
    { type: 'image', url: 'https://x/c.png' },
  ]);
});

test('outputs of shells and computers reach the model behind their calls', async () => {
  const ran = [{ stdout: 'a.txt', stderr: '', outcome: { type: 'exit', exit_code: 0 } }];
  const shot = { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA' };
  const outputs = [
    { type: 'shell_call_output', call_id: 'a', output: ran },
    { type: 'local_shell_call_output', id: 'b', output: 'listed' },
    { type: 'computer_call_output', call_id: 'c', output: shot },
    { type: 'function_call_output', call_id: 'd', output: { type: 'report', done: true } },
  ];
  const calls = [
    { type: 'shell_call', call_id: 'a', action: { commands: ['ls'] } },
    { type: 'local_shell_call', id: 'ls_1', call_id: 'b', action: { command: ['ls'] } },
    { type: 'computer_call', call_id: 'c', action: { type: 'screenshot' } },
    { type: 'function_call', call_id: 'd', name: 'f', arguments: '{}' },
  ];
  const { messages } = await received({ input: [user('Hi'), ...calls, ...outputs] });
  expect(messages.slice(2).map(({ parts }) => parts[0])).toEqual([
    { type: 'tool_result', callId: 'a', content: [{ type: 'text', text: JSON.stringify(ran) }] },
    { type: 'tool_result', callId: 'b', content: [{ type: 'text', text: 'listed' }] },
    { type: 'tool_result', callId: 'c', content: [{ type: 'image', url: shot.image_url }] },
    { type: 'tool_result', callId: 'd', content: [{ type: 'text', text: '{"type":"report","done":true}' }] },
  ]);
});

test('a form without a name gets one, because chat servers want it', async () => {
  const { responseFormat } = await received({ text: { format: { type: 'json_schema', schema: { type: 'object' } } } });
  expect(responseFormat).toEqual({ type: 'json_schema', name: 'output', schema: { type: 'object' } });
});

test('a forced call without a tool is named as lost', async () => {
  const headersOf = async (tool_choice: string) => {
    const fields = { tools: [{ type: 'web_search' }], tool_choice };
    return (await respond(gateway, [text('Hi'), stop], fields)).headers.get('x-drivebay-ignored-params');
  };
  expect(await headersOf('required')).toBe('script,tools.web_search,tool_choice');
  expect(await headersOf('auto')).toBe('script,tools.web_search');
});

test('what a driver cannot carry out is named as the client knows it, and so is what only a vendor can include', async () => {
  const ignored = ['response_format', 'reasoning_effort', 'verbosity', 'max_tokens', 'stop', 'temperature'];
  const script = [{ type: 'meta', ignored }, text('Hi'), stop];
  const lost = async (fields: Json) =>
    (await respond(gateway, script, fields)).headers.get('x-drivebay-ignored-params');
  const own = 'text.format,reasoning.effort,text.verbosity,max_output_tokens,stop,temperature';
  for (const stream of [false, true]) {
    expect(await lost({ stream, include: ['reasoning.encrypted_content'] })).toBe(`${own},script`);
    expect(await lost({ stream, include: ['message.output_text.logprobs'] })).toBe(`${own},script,include`);
  }
  const refused = await respond(gateway, [{ fail: ['invalid_request', 'no', { param: 'response_format' }] }], {});
  expect([refused.status, ((await refused.json()) as Json).error.param]).toEqual([400, 'text.format']);
});

test('developer messages at the front are one system message, and later ones reminders', async () => {
  const developer = (content: string) => ({ type: 'message', role: 'developer', content });
  const { messages } = await received({
    input: [developer('A'), developer('B'), user('1'), { role: 'assistant', content: 'ok' }, developer('C'), user('2')],
  });
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(messages[3]!.parts).toEqual([
    { type: 'text', text: expect.stringContaining('C') },
    { type: 'text', text: '2' },
  ]);
});

test('what was said before stays the same in the next request, for prompt caches', async () => {
  const tools = [{ type: 'namespace', name: 'mcp', tools: [{ type: 'function', name: 'read' }] }];
  const turn = (n: number) => [
    user(`question ${n}`),
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'gAAA' },
    { type: 'function_call', call_id: `c${n}`, name: 'read', namespace: 'mcp', arguments: '{"a": 1}' },
    { type: 'message', role: 'developer', content: `note ${n}` },
    { type: 'function_call_output', call_id: `c${n}`, output: 'r' },
  ];
  const first = await received({ tools, instructions: 'Be brief.', input: turn(1) });
  const second = await received({ tools, instructions: 'Be brief.', input: [...turn(1), ...turn(2)] });
  const { length } = first.messages;
  expect(length).toBeGreaterThan(3);
  expect(JSON.stringify(second.messages.slice(0, length - 1))).toBe(JSON.stringify(first.messages.slice(0, -1)));
  expect(JSON.stringify(second.tools)).toBe(JSON.stringify(first.tools));
});

test('the names of a turn’s calls are those of its tools', async () => {
  const tools = [
    { type: 'function', name: 'f', description: 'F', parameters: { type: 'object' }, strict: false },
    { type: 'namespace', name: 'mcp', description: 'Files.', tools: [{ type: 'function', name: 'read' }] },
    { type: 'custom', name: 'patch', description: 'P', format: { type: 'grammar', syntax: 'lark', definition: 'G' } },
  ];
  const { messages, tools: offered } = await received({
    tools,
    input: [
      user('Hi'),
      { type: 'function_call', call_id: 'a', name: 'read', namespace: 'mcp', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: 'x\n"y"' },
      { type: 'function_call_output', call_id: 'a', output: 'A' },
      { type: 'custom_tool_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'B' }] },
    ],
  });
  expect(offered!.map(({ name }) => name)).toEqual(['f', 'mcp__read', 'patch']);
  expect(offered![1]!.description).toBe('Files.');
  expect(offered![2]).toMatchObject({ description: expect.stringMatching(/^P\n\n.*lark grammar:\nG$/s) });
  expect(messages.slice(1)).toEqual([
    {
      role: 'assistant',
      parts: [
        { type: 'tool_call', id: 'a', name: 'mcp__read', arguments: '{}' },
        { type: 'tool_call', id: 'b', name: 'patch', arguments: '{"input":"x\\n\\"y\\""}' },
      ],
    },
    { role: 'tool', parts: [{ type: 'tool_result', callId: 'a', content: [{ type: 'text', text: 'A' }] }] },
    { role: 'tool', parts: [{ type: 'tool_result', callId: 'b', content: [{ type: 'text', text: 'B' }] }] },
  ]);
});

test.each<[unknown, object | undefined]>([
  ['required', { type: 'required' }],
  ['none', { type: 'none' }],
  [
    { type: 'function', name: 'f' },
    { type: 'tool', name: 'f' },
  ],
  [
    { type: 'custom', name: 'patch' },
    { type: 'tool', name: 'patch' },
  ],
  [{ type: 'web_search' }, undefined],
])('tool_choice %j', async (tool_choice, expected) => {
  const tools = [{ type: 'function', name: 'f' }, { type: 'custom', name: 'patch' }, { type: 'web_search' }];
  expect((await received({ tools, tool_choice })).toolChoice).toEqual(expected);
});

test('a list of allowed tools takes the others away', async () => {
  const tools = ['f', 'g', 'h'].map((name) => ({ type: 'function', name }));
  const tool_choice = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'g' }] };
  const request = await received({ tools, tool_choice });
  expect([request.tools!.map(({ name }) => name), request.toolChoice]).toEqual([['g'], { type: 'required' }]);
});

describe('what a driver signs comes back to it', () => {
  const script = [
    { type: 'reasoning', text: 'hm', extra: { signature: 'S' } },
    { type: 'tool_call', index: 0, id: 'c1', name: 'f', arguments: '{}', extra: { thought: 'T' } },
    stop,
  ];
  const tools = [{ type: 'function', name: 'f' }];
  const turn = async (): Promise<Json[]> =>
    last(await streamed(respond(gateway, script, { tools, stream: true }))).output;
  const next = async (output: Json[], model: string) => {
    const result = { type: 'function_call_output', call_id: output[1]!.call_id as string, output: 'done' };
    return received({ model, tools, input: [user('Hi'), ...output, result] });
  };

  test('with the next turn, on the provider that made it', async () => {
    const { messages } = await next(await turn(), 'main');
    expect(messages[1]!.parts).toEqual([
      { type: 'reasoning', text: 'hm', extra: { signature: 'S' } },
      { type: 'tool_call', id: 'c1', name: 'f', arguments: '{}', extra: { thought: 'T' } },
    ]);
    expect(messages[2]!.parts).toEqual([
      { type: 'tool_result', callId: 'c1', content: [{ type: 'text', text: 'done' }] },
    ]);
  });

  test('and to nobody else: another provider gets the words only', async () => {
    const { messages } = await next(await turn(), 'other');
    expect(messages[1]!.parts).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'tool_call', id: 'c1', name: 'f', arguments: '{}' },
    ]);
  });

  test('not when a client changed it, nor what a vendor encrypted; both are no error', async () => {
    const [reasoning, call] = await turn();
    for (const encrypted of ['gAAAA-foreign', `${reasoning!.encrypted_content}x`]) {
      const { messages } = await next([{ ...reasoning, encrypted_content: encrypted }, call!], 'main');
      expect(messages[1]!.parts[0]).toEqual({ type: 'reasoning', text: 'hm' });
    }
  });

  test('a backend of this wire gets none of it', async () => {
    const output = await turn();
    const { origin } = await next(output, 'other');
    expect(origin!.body.input).toMatchObject([
      { role: 'user' },
      { type: 'function_call', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1' },
    ]);
    expect(JSON.stringify(origin)).not.toContain('drivebay1');
  });
});

describe('compaction', () => {
  test('is answered with one item, which is a message of the user from then on', async () => {
    const input = [user('Build it'), { type: 'compaction_trigger' }];
    const script = [{ type: 'reasoning', text: 'hm' }, text('They want '), text('a thing.'), stop];
    const { output } = last(await streamed(respond(gateway, script, { input, stream: true })));
    expect(output).toEqual([
      { type: 'compaction', id: expect.stringMatching(/^cmp_/), encrypted_content: expect.any(String) },
    ]);
    const { messages, origin } = await received({ input: [...output, user('Go on')] });
    expect(messages[0]).toMatchObject(said(expect.stringMatching(/summary.*\n\nThey want a thing\.$/s)));
    expect(JSON.stringify(origin!.body.input)).toContain('They want a thing.');
  });

  test('may be asked for by a path', async () => {
    const response = await fetch(`${gateway.url}/v1/responses/compact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'main', input: [user('Build it')], script: [text('They want a thing.'), stop] }),
    });
    const body = (await response.json()) as Json;
    expect([response.status, body]).toMatchObject([200, { object: 'response.compaction', output: [{}] }]);
    const { messages } = await received({ input: [...(body.output as Json[]), user('Go on')] });
    expect(messages[0]).toMatchObject(said(expect.stringMatching(/summary.*\n\nThey want a thing\.$/s)));
  });

  test('asks the driver for a summary, without a call of a tool', async () => {
    const input = [user('Build it'), { type: 'compaction_trigger' }];
    const tools = [{ type: 'function', name: 'f' }];
    const response = await respond(gateway, [{ echo: 'request' }, stop], { input, tools });
    const { output } = (await response.json()) as Json;
    const summary = Buffer.from(String(output[0].encrypted_content).split(':')[1]!, 'base64').toString();
    const request = JSON.parse(summary) as ChatRequest;
    expect(request.toolChoice).toEqual({ type: 'none' });
    expect(request.messages.at(-1)).toMatchObject(said(expect.stringMatching(/summary/)));
  });
});

describe('routing', () => {
  test.each<[string | undefined, string, string]>([
    [undefined, 'main', 'm-1'],
    ['other', 'other', 'm-1'],
    ['other:x', 'other', 'x'],
    ['other/x', 'other', 'x'],
    ['p-1', 'plain', 'p-1'],
    ['nobody-has-this', 'main', 'nobody-has-this'],
  ])('of %p', async (model, provider, used) => {
    const response = await respond(gateway, [{ echo: 'request' }, stop], { model });
    expect(response.headers.get('x-drivebay-provider')).toBe(provider);
    const body = (await response.json()) as Json;
    expect(JSON.parse(body.output[0].content[0].text)).toMatchObject({ model: used });
    expect(body.model).toBe(model ?? 'm-1');
  });
});

test.each<[string, Record<string, unknown>, string | null, string]>([
  ['background', { background: true }, 'background', 'invalid_request'],
  ['a conversation', { conversation: 'conv_1' }, 'conversation', 'invalid_request'],
  ['a reference', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0]', 'invalid_request'],
  ['an unknown response', { previous_response_id: 'resp_x' }, 'previous_response_id', 'previous_response_not_found'],
  ['no input', { input: [] }, 'input', 'invalid_request'],
  ['a field of the wrong type', { input: 7 }, 'input', 'invalid_request'],
  ['an item without a type', { input: [{ text: 'x' }] }, 'input[0].type', 'invalid_request'],
  ['a role that there is not', { input: [{ role: 'critic', content: 'x' }] }, 'input[0].role', 'invalid_request'],
  ['a call without an id', { input: [{ type: 'function_call', name: 'f' }] }, 'input[0].call_id', 'invalid_request'],
  ['a tool without a name', { tools: [{ type: 'function' }] }, 'tools[0].name', 'invalid_request'],
  ['a choice that is not offered', { tool_choice: { type: 'function', name: 'f' } }, 'tool_choice', 'invalid_request'],
  [
    'tools where there are none',
    { model: 'agent', tools: [{ type: 'function', name: 'f' }] },
    'tools',
    'invalid_request',
  ],
  [
    'a part that the provider does not take',
    {
      model: 'plain',
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AA' }] }],
    },
    'input',
    'invalid_request',
  ],
])('%s is refused with its place', async (_name, fields, param, code) => {
  expect(await refused(fields)).toEqual([400, param, code]);
});

test('a body over 4 MiB passes', async () => {
  const big = 'x'.repeat(6 * 1024 * 1024);
  const response = await respond(gateway, [text('Hi'), stop], { input: big });
  expect(response.status).toBe(200);
  await response.json();
});
