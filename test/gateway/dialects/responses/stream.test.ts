import type { RunningGateway } from '../../../setup/running-gateway';
import { type Step, stop, text, useScripted } from '../../scripted-driver';
import type { Json } from '../../wire';
import { inner, last, respond, streamed } from './responses-wire';

let gateway: RunningGateway;
useScripted((started) => (gateway = started));

/** What an agent calls itself: it reads failures in streams only. */
const AGENT = { originator: 'some_agent' };
const ask = (script: Step[], fields: Record<string, unknown> = {}, headers = {}) =>
  streamed(respond(gateway, script, { stream: true, ...fields }, headers));
const call = (index: number, fields: Record<string, unknown>): Step => ({ type: 'tool_call', index, ...fields });
const USAGE: Step = { type: 'usage', inputTokens: 12, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 3 };

test('a text is one message, told step by step, and whole at the end', async () => {
  const found = await ask([text('Hel'), text('lo'), USAGE, stop]);
  expect(inner(found)).toEqual([
    'output_item.added',
    'content_part.added',
    'output_text.delta',
    'output_text.delta',
    'output_text.done',
    'content_part.done',
    'output_item.done',
  ]);
  const item = found.at(-2)!.item as Json;
  expect(item).toMatchObject({ type: 'message', role: 'assistant', status: 'completed', content: [{ text: 'Hello' }] });
  const ids = found.map(({ item_id: id }) => id as string | undefined).filter(Boolean);
  expect(new Set([...ids, item.id])).toEqual(new Set([item.id]));
  expect(last(found)).toMatchObject({
    object: 'response',
    id: (found[0]!.response as Json).id,
    model: 'main',
    status: 'completed',
    output: [item],
    usage: {
      input_tokens: 12,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 17,
    },
  });
});

test('usage that no backend reported is null, and never a part of the counts', async () => {
  expect(last(await ask([text('Hi'), stop])).usage).toBeNull();
  const counts = { type: 'usage', inputTokens: 1.5, outputTokens: 2 };
  expect(last(await ask([text('Hi'), counts, stop])).usage).toMatchObject({ input_tokens: 2, total_tokens: 4 });
});

describe('a refusal', () => {
  const refusal = (words: string): Step => ({ type: 'extra', delta: { refusal: words } });
  const script = [text('So.'), refusal('I '), refusal('will not.'), stop];
  const parts = [
    { type: 'output_text', text: 'So.', annotations: [], logprobs: [] },
    { type: 'refusal', refusal: 'I will not.' },
  ];

  test('is a part of its own, told step by step', async () => {
    const found = await ask(script);
    expect(inner(found).slice(1)).toEqual([
      ...['content_part.added', 'output_text.delta', 'output_text.done', 'content_part.done'],
      ...['content_part.added', 'refusal.delta', 'refusal.delta', 'refusal.done', 'content_part.done'],
      'output_item.done',
    ]);
    const place = { item_id: (found[2]!.item as Json).id, output_index: 0, content_index: 1 };
    const [begin, , , done, end] = found.slice(7).map(({ type: _, sequence_number: __, ...rest }) => rest);
    expect(begin).toEqual({ ...place, part: { type: 'refusal', refusal: '' } });
    expect(done).toEqual({ ...place, refusal: 'I will not.' });
    expect(end).toEqual({ ...place, part: parts[1] });
    expect(last(found)).toMatchObject({ status: 'completed', output: [{ content: parts }] });
  });

  test('is the same in an answer in one piece', async () => {
    const whole = (await (await respond(gateway, script)).json()) as Json;
    expect(whole.output).toMatchObject([{ type: 'message', content: parts }]);
  });

  test('is a text for an agent, which would lose the message', async () => {
    const [message] = last(await ask(script, {}, AGENT)).output as Json[];
    expect(message!.content).toEqual([{ ...parts[0], text: 'So.I will not.' }]);
  });
});

test('reasoning is a summary, in an item before the text', async () => {
  const found = await ask([
    { type: 'reasoning', text: 'Let me ' },
    { type: 'reasoning', text: 'see.' },
    text('4'),
    stop,
  ]);
  expect(inner(found).slice(0, 7)).toEqual([
    'output_item.added',
    'reasoning_summary_part.added',
    'reasoning_summary_text.delta',
    'reasoning_summary_text.delta',
    'reasoning_summary_text.done',
    'reasoning_summary_part.done',
    'output_item.done',
  ]);
  expect(last(found).output).toMatchObject([
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Let me see.' }], encrypted_content: null },
    { type: 'message' },
  ]);
});

test('each block of reasoning has its own item, and one without a text too', async () => {
  const found = await ask([
    { type: 'reasoning', text: 'a' },
    { type: 'reasoning_end', extra: { signature: 'A' } },
    { type: 'reasoning_end', extra: { redacted: 'B' } },
    text('Hi'),
    stop,
  ]);
  const { output } = last(found);
  expect(output).toMatchObject([{ summary: [{ text: 'a' }] }, { summary: [] }, { type: 'message' }]);
  expect(new Set(output.slice(0, 2).map((item: Json) => item.encrypted_content)).size).toBe(2);
});

test('calls whose pieces come by turns keep their places', async () => {
  const found = await ask([
    call(0, { id: 'a', name: 'f', arguments: '{"x":' }),
    call(1, { id: 'b', name: 'g' }),
    call(0, { arguments: '"1' }),
    call(1, { arguments: '{"y"' }),
    call(0, { arguments: '"}' }),
    call(1, { arguments: ':2}' }),
    { type: 'finish', reason: 'tool_calls' },
  ]);
  expect(last(found).output).toMatchObject([
    { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"x":"1"}', status: 'completed' },
    { type: 'function_call', call_id: 'b', name: 'g', arguments: '{"y":2}', status: 'completed' },
  ]);
  const deltas = found.filter(({ type }) => type === 'response.function_call_arguments.delta');
  const of = (index: number) => deltas.filter(({ output_index: place }) => place === index).map(({ delta }) => delta);
  expect([of(0).join(''), of(1).join('')]).toEqual(['{"x":"1"}', '{"y":2}']);
  expect(found.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)).toEqual(
    last(found).output,
  );
});

test('a call is done as soon as its arguments are whole and something else begins', async () => {
  const found = await ask([call(0, { id: 'a', name: 'f', arguments: '{}' }), call(1, { id: 'b', name: 'f' }), stop]);
  const steps = found.map(({ type, output_index: place }) => `${type} ${place}`);
  expect(steps.indexOf('response.output_item.done 0')).toBeLessThan(steps.indexOf('response.output_item.added 1'));
  expect(last(found).output[1].arguments).toBe('{}');
});

test('a call without an id gets one', async () => {
  const { output } = last(await ask([call(0, { name: 'f' }), call(1, { name: 'f' }), stop]));
  expect(new Set(output.map(({ call_id: id }: Json) => id)).size).toBe(2);
  expect(output[0].call_id).toMatch(/^call_/);
});

describe('the client’s own form of a tool is restored:', () => {
  const tools = [
    { type: 'namespace', name: 'mcp__big', description: 'Files.', tools: [{ type: 'function', name: 'read' }] },
    { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
  ];

  test('the namespace apart from the name', async () => {
    const { output } = last(
      await ask([call(0, { id: 'a', name: 'mcp__big__read', arguments: '{}' }), stop], { tools }),
    );
    expect(output).toMatchObject([{ type: 'function_call', name: 'read', namespace: 'mcp__big' }]);
  });

  const PATCH = '*** Begin Patch\n"quoted"\n*** End Patch\n';
  test.each([
    ['in small pieces', [...JSON.stringify({ input: PATCH })]],
    ['whole', [JSON.stringify({ input: PATCH })]],
    ['without a wrapper', [PATCH]],
  ])('a custom tool gets its text, %s', async (_name, pieces) => {
    const calls = pieces.map((piece, index) =>
      call(0, index === 0 ? { id: 'a', name: 'apply_patch', arguments: piece } : { arguments: piece }),
    );
    const found = await ask([...calls, stop], { tools });
    expect(inner(found)).toEqual([
      'output_item.added',
      'custom_tool_call_input.delta',
      'custom_tool_call_input.done',
      'output_item.done',
    ]);
    expect(last(found).output).toMatchObject([{ type: 'custom_tool_call', name: 'apply_patch', input: PATCH }]);
  });
});

test('what only a vendor can run is left out and named, and so is a field that says nothing here', async () => {
  const tools = ['web_search', 'tool_search', 'image_generation'].map((type) => ({ type }));
  const items = [
    { type: 'from_the_future', x: 1 },
    { role: 'user', content: 'Hi' },
  ];
  const fields = { stream: true, tools, input: items, service_tier: 'flex', client_metadata: {}, include: [] };
  const response = await respond(gateway, [text('Hi'), stop], fields);
  expect([response.status, response.headers.get('x-drivebay-ignored-params')]).toEqual([
    200,
    'script,service_tier,tools.web_search,tools.tool_search,tools.image_generation,input.from_the_future',
  ]);
});

describe('an answer that was cut', () => {
  test('at the token limit is incomplete, and a call in pieces is never done', async () => {
    const found = await ask([
      text('Hi'),
      call(0, { id: 'a', name: 'f', arguments: '{"cmd": "rm' }),
      { type: 'finish', reason: 'length' },
    ]);
    expect(found.at(-1)!.type).toBe('response.incomplete');
    expect(last(found)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ type: 'message' }, { type: 'function_call', status: 'incomplete' }],
    });
    expect(found.filter(({ type }) => type === 'response.output_item.done')).toHaveLength(1);
  });

  test('by a filter is incomplete; a failure where nothing was said, and for an agent, which would repeat it', async () => {
    const filtered: Step = { type: 'finish', reason: 'content_filter' };
    expect(last(await ask([text('I'), filtered])).incomplete_details).toEqual({ reason: 'content_filter' });
    for (const found of [await ask([filtered]), await ask([text('I'), filtered], {}, AGENT)]) {
      expect(found.slice(-2).map(({ type }) => type)).toEqual(['error', 'response.failed']);
      // The AI SDK reads no response whose error has no type.
      const type = 'invalid_request_error';
      expect(last(found).error).toMatchObject({
        code: 'invalid_prompt',
        type,
        message: expect.stringMatching(/filter/),
      });
    }
  });
});

describe('a failure in the stream', () => {
  test.each([
    ['that a retry may mend', ['unreachable', 'gone'], 'server_error'],
    ['that comes again', ['rejected', 'no'], 'invalid_prompt'],
    ['of the context', ['rejected', 'too long', { kind: 'context_overflow' }], 'context_length_exceeded'],
    ['of the time limit', ['timeout', 'slow'], 'invalid_prompt'],
  ])('%s has a code that clients act on', async (_name, fail, code) => {
    const found = await ask([text('Hi'), call(0, { id: 'a', name: 'f', arguments: '{"a' }), { fail }]);
    expect(found.at(-1)!.type).toBe('response.failed');
    expect(last(found)).toMatchObject({
      status: 'failed',
      error: { code, message: expect.stringContaining(fail[1] as string) },
    });
    expect(found.map(({ type }) => type)).not.toContain('response.function_call_arguments.done');
  });

  test('is an error of the stream, too: some clients take a failed response for a whole one', async () => {
    const found = await ask([text('Hi'), { fail: ['unreachable', 'gone'] }]);
    const [error, failed] = found.slice(-2) as [Json, Json];
    const { code, message } = failed.response.error as Json;
    const fields = { code, message, param: null };
    expect(error).toEqual({
      ...{ type: 'error', sequence_number: expect.any(Number), ...fields },
      error: { type: code, ...fields },
    });
    expect(error.sequence_number).toBe((failed.sequence_number as number) - 1);
  });

  test('of a busy backend says when to come back', async () => {
    const found = await ask([text('Hi'), { fail: ['rate_limited', 'busy', { retryAfterS: 2 }] }]);
    expect(last(found).error).toEqual({
      code: 'rate_limit_exceeded',
      message: 'provider "main": busy. Please try again in 2s.',
    });
  });

  test('that is final is told in the stream to an agent, even before the answer', async () => {
    const response = await respond(gateway, [{ fail: ['auth', 'the key is refused'] }], { stream: true }, AGENT);
    expect(response.status).toBe(200);
    const found = await streamed(response);
    const types = ['response.created', 'response.in_progress', 'error', 'response.failed'];
    expect(found.map(({ type }) => type)).toEqual(types);
    expect(last(found).error).toEqual({ code: 'invalid_prompt', message: 'provider "main": the key is refused' });
  });
});

describe('a backend of the same wire', () => {
  const native = (value: Json): Step => ({ type: 'native', value });
  const created = { type: 'response.created', sequence_number: 0, response: { id: 'resp_up', status: 'in_progress' } };
  const delta = { type: 'response.output_text.delta', sequence_number: 1, delta: 'Hi', obfuscation: 'x' };
  const item = { type: 'message', id: 'msg_up', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] };
  const completed = {
    type: 'response.completed',
    sequence_number: 2,
    response: { id: 'resp_up', status: 'completed', output: [item], some_field: 1 },
  };
  const script = [native(created), native(delta), text('Hi'), native(completed), stop];
  const stored = async (id: string) => (await fetch(`${gateway.url}/v1/responses/${id}`)).json() as Promise<Json>;
  const whole = async (fields: Json = {}) =>
    (await (await respond(gateway, [native(completed.response), text('Hi'), stop], fields)).json()) as Json;

  test('is passed on as it speaks, but for what concerns the response that is kept here', async () => {
    const response = await respond(gateway, script, { stream: true, service_tier: 'flex' });
    expect(response.headers.get('x-drivebay-ignored-params')).toBeNull();
    const found = await streamed(response);
    const own = { id: last(found).id as string, previous_response_id: null, store: true };
    expect(own.id).toMatch(/^resp_[0-9a-f]{32}$/);
    const ours = (event: Json) => ({ ...event, response: { ...event.response, ...own } });
    expect(found).toEqual([ours(created), delta, ours(completed)]);
    expect(await stored(own.id)).toEqual(last(found));
  });

  test('may send pieces that are no events: they stay here', async () => {
    const odd = [native({ object: 'chat.completion.chunk', choices: [] }), native({ type: null })];
    const found = await ask([native(created), native(delta), ...odd, text('Hi'), native(completed), stop]);
    expect(found.map(({ type }) => type)).toEqual([created.type, delta.type, completed.type]);
  });

  test('may give an id that another one has given: each response is kept by itself', async () => {
    const first = await whole({ input: 'One' });
    const second = await whole({ input: 'Two', previous_response_id: first.id });
    expect(second).toMatchObject({ previous_response_id: first.id, output: [item], some_field: 1 });
    expect([first.id, second.id]).not.toContain('resp_up');
    expect([await stored(first.id as string), await stored(second.id as string)]).toEqual([first, second]);
    expect((await stored('resp_up')).error).toMatchObject({ code: 'response_not_found' });
  });

  test('whose stream breaks fails under the same id', async () => {
    const broken = await ask([native(created), native(delta), text('Hi'), { fail: ['unreachable', 'gone'] }]);
    expect(broken.slice(-2)).toMatchObject([
      { type: 'error', sequence_number: 2, error: { code: 'server_error' } },
      { type: 'response.failed', sequence_number: 3 },
    ]);
    expect(last(broken)).toMatchObject({ id: broken[0]!.response.id, error: { code: 'server_error' } });
  });
});
