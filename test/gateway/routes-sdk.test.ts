import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, streamText } from 'ai';
import OpenAI, { APIError } from 'openai';
import { RunningGateway } from '../setup/running-gateway';
import { tempHome } from '../setup/temp-home';
import { completion, delta, DONE, finish, json, posts, sse, Upstream } from '../setup/upstream';

// The clients with their own repetitions, as their users have them.

const home = tempHome();
let [tired, fresh, gateway]: [Upstream?, Upstream?, RunningGateway?] = [];

beforeAll(async () => {
  [tired, fresh] = [await Upstream.start(), await Upstream.start()];
  tired.answer(({ method }) =>
    method === 'GET'
      ? json({ data: [] })
      : json(
          { error: { message: 'used up', code: 'insufficient_quota' } },
          { status: 429, headers: { 'retry-after': '900' } },
        ),
  );
  fresh.answer(({ method, body }) => {
    if (method === 'GET') return json({ data: [] });
    const { stream } = body as { stream?: boolean };
    return stream ? sse([delta('Hel'), delta('lo'), finish(), DONE]) : json(completion('Hello'));
  });
  const provider = (name: string, { url }: Upstream) =>
    `{ name: ${name}, driver: chat-compat, base_url: "${url}/v1", default_model: m }`;
  home.configure(`version: "1"
providers: [${provider('tired', tired)}, ${provider('worn', tired)}, ${provider('fresh', fresh)}]
routes:
  - { name: smart, targets: [tired, fresh] }
  - { name: doomed, targets: [tired, worn] }
`);
  gateway = await RunningGateway.start([], { env: home.environment() });
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([tired?.close(), fresh?.close()]);
});

const asked = () => posts(tired!).length;
const wake = async () => {
  expect((await home.run('providers', 'wake', 'doomed')).code).toBe(0);
};
beforeEach(wake);

describe('the official SDK', () => {
  const client = () => new OpenAI({ baseURL: `${gateway!.url}/v1`, apiKey: 'unused' });
  const request = { model: 'smart', messages: [{ role: 'user' as const, content: 'Hi' }] };

  test('gets the answer of the second target, whole and streamed, and sees who was asked before', async () => {
    const { data, response } = await client().chat.completions.create(request).withResponse();
    expect([data.choices[0]!.message.content, data.model]).toEqual(['Hello', 'smart']);
    expect(response.headers.get('x-drivebay-attempts')).toBe('tired=usage_limit');
    let text = '';
    for await (const chunk of await client().chat.completions.create({ ...request, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? '';
    }
    expect(text).toBe('Hello');
  });

  test('is told every attempt, and repeats nothing that cannot help', async () => {
    const before = asked();
    const failure = await client()
      .chat.completions.create({ ...request, model: 'doomed' })
      .catch((error: unknown) => error as APIError);
    expect(failure).toBeInstanceOf(APIError);
    const { status, error } = failure as APIError;
    const { details } = error as { details: { kind: string; attempts: { provider: string; kind: string }[] } };
    expect([status, details.kind]).toEqual([502, 'usage_limit']);
    expect(details.attempts).toMatchObject([{ provider: 'tired', kind: 'usage_limit' }, { provider: 'worn' }]);
    expect(asked() - before).toBe(2);
  });

  test('finds the route in its list of models', async () => {
    const models: string[] = [];
    for await (const { id, owned_by: owner } of client().models.list()) if (owner === 'drivebay') models.push(id);
    expect(models).toEqual(['smart', 'doomed']);
  });
});

describe('the Vercel AI SDK', () => {
  const model = (name: string) =>
    createOpenAICompatible({ name: 'drivebay', baseURL: `${gateway!.url}/v1`, includeUsage: true })(name);

  test('gets the answer of the second target, whole and streamed', async () => {
    const { text, response } = await generateText({ model: model('smart'), prompt: 'Hi' });
    expect([text, response.headers?.['x-drivebay-provider']]).toEqual(['Hello', 'fresh']);
    await wake();
    expect(await streamText({ model: model('smart'), prompt: 'Hi' }).text).toBe('Hello');
  });

  test('is told every attempt', async () => {
    const failure = await generateText({ model: model('doomed'), prompt: 'Hi', maxRetries: 0 }).catch(
      (error: unknown) => error,
    );
    expect(APICallError.isInstance(failure)).toBe(true);
    const { statusCode, responseBody = '' } = failure as APICallError;
    expect(statusCode).toBe(502);
    expect(JSON.parse(responseBody)).toMatchObject({
      error: { details: { attempts: [{ provider: 'tired' }, { provider: 'worn' }] } },
    });
  });
});
