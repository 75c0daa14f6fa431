import { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { completion, delta, DONE, finish, json, posts, sse, Upstream, type Answer } from '../../setup/upstream';

const home = new TempHome();
let upstream: Upstream;
let gateway: RunningGateway;
let answers: Answer[] = [];

beforeAll(async () => {
  upstream = await Upstream.start();
  // Checks of the provider come in between.
  upstream.answer(({ method }) => (method === 'GET' ? json({ data: [] }) : answers.shift()!));
  const entry = `driver: chat-compat, default_model: m, base_url: "${upstream.url}/v1"`;
  home.providers(`name: signing, ${entry}`, `name: other, ${entry}`);
  gateway = await RunningGateway.start([], { env: home.environment() });
});

afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  home.remove();
});

type Fields = Record<string, unknown>;
type Item = Record<string, string>;

async function post(path: string, body: Fields): Promise<string> {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect([response.status, text]).toEqual([200, text]);
  return text;
}

const dataOf = (transcript: string) =>
  transcript
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Fields);

/** A client of each door: what it makes of an answer, and how it goes on from there with the result of the call. */
const DOORS = {
  messages: {
    path: '/v1/messages',
    question: { max_tokens: 99, tools: [{ name: 'f', input_schema: {} }], messages: [{ role: 'user', content: 'Go' }] },
    read(text: string, stream: boolean): Item[] {
      if (!stream) return (JSON.parse(text) as { content: Item[] }).content;
      const blocks: Item[] = [];
      for (const { type, content_block: block, delta: piece } of dataOf(text)) {
        if (type === 'content_block_start') blocks.push({ ...(block as Item), input: '' });
        const { type: _, ...more } = (piece ?? {}) as Item;
        if (type === 'content_block_delta')
          for (const [name, value] of Object.entries(more)) blocks.at(-1)![name] = (blocks.at(-1)![name] ?? '') + value;
      }
      return blocks.map(({ partial_json: _, ...block }) =>
        block.type === 'tool_use' ? ({ ...block, input: {} } as never) : block,
      );
    },
    next: (content: Item[]) => ({
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'assistant', content },
        {
          role: 'user',
          content: content
            .filter(({ type }) => type === 'tool_use')
            .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })),
        },
      ],
    }),
  },
  responses: {
    path: '/v1/responses',
    question: { tools: [{ type: 'function', name: 'f' }], input: [{ role: 'user', content: 'Go' }] },
    read(text: string, stream: boolean): Item[] {
      const last = stream ? dataOf(text).at(-1)!.response : JSON.parse(text);
      return (last as { output: Item[] }).output;
    },
    next: (output: Item[]) => ({
      input: [
        { role: 'user', content: 'Go' },
        ...output,
        ...output
          .filter(({ type }) => type === 'function_call')
          .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'ok' })),
      ],
    }),
  },
};

const SIGNED = { type: 'reasoning.text', text: 'Look first.', signature: 'U0lH', index: 0 };
const SEALED = { type: 'reasoning.encrypted', data: 'RU5D', id: 'c1', index: 1 };
const CALL = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };

const inPieces = () =>
  sse([
    delta({ reasoning: 'Look ', reasoning_details: [{ ...SIGNED, text: 'Look ', signature: undefined }] }),
    delta({ reasoning: 'first.', reasoning_details: [{ ...SIGNED, text: 'first.', signature: null }] }),
    delta({ reasoning_details: [{ ...SIGNED, text: undefined }] }),
    delta({ reasoning_details: [SEALED], tool_calls: [{ index: 0, ...CALL }] }),
    finish('tool_calls'),
    DONE,
  ]);
const inOne = () =>
  json(
    completion({
      role: 'assistant',
      content: null,
      reasoning: SIGNED.text,
      reasoning_details: [SIGNED, SEALED],
      tool_calls: [CALL],
    }),
  );

describe.each(Object.entries(DOORS))('on %s', (_name, door) => {
  test.each([true, false])('what a server signs comes back to it, and to no other (stream: %p)', async (stream) => {
    answers = [stream ? inPieces() : inOne(), json(completion('Done')), json(completion('Done'))];
    const first = await post(door.path, { ...door.question, model: 'signing', stream });
    const turn = { ...door.question, ...door.next(door.read(first, stream)) };
    for (const model of ['signing', 'other']) await post(door.path, { ...turn, model });
    const asked = posts(upstream).slice(-2);
    const said = { role: 'assistant', content: null, reasoning_content: SIGNED.text, tool_calls: [CALL] };
    const [back, others] = asked.map(({ body }) => (body as { messages: Fields[] }).messages);
    expect(back!.slice(1)).toEqual([
      { ...said, reasoning_details: [SIGNED, SEALED] },
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
    ]);
    expect(others![1]).toEqual(said);
  });
});
