import OpenAI from 'openai';
import { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { type Answer, json, posts, Upstream } from '../../setup/upstream';
import { ITEMS, response, stream } from './wire';

const home = new TempHome();
let upstream: Upstream;
let gateway: RunningGateway;
let client: OpenAI;
let answers: Answer[] = [];

beforeAll(async () => {
  upstream = await Upstream.start();
  // Checks of the provider come in between.
  upstream.answer(({ method }) => (method === 'GET' ? json({ data: [] }) : answers.shift()!));
  home.providers(`name: vendor, driver: openai, default_model: m, wire: responses, base_url: "${upstream.url}/v1"`);
  gateway = await RunningGateway.start([], { env: home.environment({ OPENAI_API_KEY: 'sk-right-key' }) });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
});

afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  home.remove();
});

async function lastOf(events: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>): Promise<OpenAI.Responses.Response> {
  let last: OpenAI.Responses.Response | undefined;
  for await (const event of events) if ('response' in event) last = event.response;
  return last!;
}

test.each([true, false])(
  'a client goes on from a response, and the vendor gets the whole conversation (stream: %p)',
  async (isStream) => {
    const { reasoning, message, call } = ITEMS;
    const output = [reasoning, message, call];
    answers = [isStream ? stream(output) : json(response(output)), json(response([message]))];
    const question = { model: 'vendor', input: 'Go' };
    const first = isStream
      ? await lastOf(await client.responses.create({ ...question, stream: true }))
      : await client.responses.create(question);
    expect(first.output).toMatchObject(output);

    const result = { type: 'function_call_output' as const, call_id: call.call_id, output: 'done' };
    const second = await client.responses.create({ model: 'vendor', input: [result], previous_response_id: first.id });
    expect(second.previous_response_id).toBe(first.id);
    const sent = posts(upstream).at(-1)!.body;
    expect(sent).not.toHaveProperty('previous_response_id');
    expect(sent.input).toEqual([{ type: 'message', role: 'user', content: 'Go' }, ...output, result]);
    // The vendor gives the same id each time.
    expect(await client.responses.retrieve(first.id)).toMatchObject({ output });
  },
);
