import { TEXT, TEXT_AFTER_CALL } from '../setup/client-stage';
import { RealClient } from './client-run';

let client: RealClient;

beforeAll(async () => {
  client = await RealClient.start('Vercel AI SDK');
});

afterAll(() => client.stage.end());

beforeEach(() => (client.stage.call = undefined));

/** The providers of the SDK that ask at another door than chat completions. */
const PROVIDERS = [
  {
    name: '@ai-sdk/anthropic',
    imports: `import { createAnthropic } from '@ai-sdk/anthropic';`,
    model: (settings: string) => `createAnthropic(${settings})('local')`,
  },
  {
    name: '@ai-sdk/openai',
    imports: `import { createOpenAI } from '@ai-sdk/openai';`,
    model: (settings: string) => `createOpenAI(${settings})('local')`,
  },
];

describe.each(PROVIDERS)('$name', ({ imports, model }) => {
  /** Runs a module that has `ask`: the model and the longest answer, without which the SDK warns. */
  function run(work: string, key = 'unused') {
    const settings = `{ baseURL: '${client.stage.gateway.url}/v1', apiKey: '${key}' }`;
    return client.runModule(`${imports}
      import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
      const ask = { model: ${model(settings)}, maxOutputTokens: 100, maxRetries: 0 };
      ${work}`);
  }

  test('streamText gives the pieces and the usage', async () => {
    const { stdout, stderr } = await run(`const answer = streamText({ ...ask, prompt: 'Hello' });
      let text = '';
      for await (const piece of answer.textStream) text += piece;
      const { inputTokens, outputTokens } = await answer.usage;
      console.log(JSON.stringify([text, await answer.finishReason, inputTokens, outputTokens]));`);
    expect({ said: JSON.parse(stdout) as unknown, stderr }).toEqual({ said: [TEXT, 'stop', 3, 2], stderr: '' });
    expect(client.stage.chats.at(-1)).toMatchObject({ model: 'm-1', stream: true });
  });

  test('generateText gives the answer and the usage', async () => {
    const { stdout } =
      await run(`const { text, usage } = await generateText({ ...ask, system: 'Be brief.', prompt: 'Hello' });
      console.log(JSON.stringify([text, usage.inputTokens, usage.outputTokens]));`);
    expect(JSON.parse(stdout)).toEqual([TEXT, 3, 2]);
    expect(client.stage.chats.at(-1)).toMatchObject({ messages: [{ content: 'Be brief.' }, { role: 'user' }] });
  });

  test('a round of tool calls, streamed and at once', async () => {
    client.stage.call = { name: 'add', arguments: { a: 1, b: 2 } };
    const { stdout } = await run(`const properties = { a: { type: 'number' }, b: { type: 'number' } };
      const add = tool({ inputSchema: jsonSchema({ type: 'object', properties }), execute: ({ a, b }) => a + b });
      const round = { ...ask, prompt: 'What is 1 + 2?', tools: { add }, stopWhen: stepCountIs(3) };
      console.log(JSON.stringify([await streamText(round).text, (await generateText(round)).text]));`);
    expect(JSON.parse(stdout)).toEqual([TEXT_AFTER_CALL, TEXT_AFTER_CALL]);
    expect(client.stage.result).toBe('3');
  });

  test('a conversation goes on', async () => {
    client.stage.call = { name: 'add', arguments: { a: 1, b: 2 } };
    const { stdout } = await run(`const properties = { a: { type: 'number' }, b: { type: 'number' } };
      const add = tool({ inputSchema: jsonSchema({ type: 'object', properties }), execute: ({ a, b }) => a + b });
      const begin = { role: 'user', content: 'What is 1 + 2?' };
      const first = await generateText({ ...ask, messages: [begin], tools: { add }, stopWhen: stepCountIs(3) });
      const messages = [begin, ...first.response.messages, { role: 'user', content: 'Say it again.' }];
      console.log((await generateText({ ...ask, messages, tools: { add } })).finishReason);`);
    expect(stdout).toMatch(/stop|tool-calls/);
    expect(JSON.stringify(client.stage.chats.at(-1)!.messages)).toMatch(
      new RegExp(`1 [+] 2[^]*"3"[^]*${TEXT_AFTER_CALL}[^]*Say it again`),
    );
  });

  test('it throws what the gateway says to a wrong key', async () => {
    const { code, stderr } = await run(`await generateText({ ...ask, prompt: 'Hello' });`, 'wrong');
    expect(code).toBe(1);
    expect(stderr).toContain('this gateway wants its key');
  });
});

test('@ai-sdk/openai gets embeddings', async () => {
  const { stdout } = await client.runModule(`import { createOpenAI } from '@ai-sdk/openai';
    import { embedMany } from 'ai';
    const openai = createOpenAI({ baseURL: '${client.stage.gateway.url}/v1', apiKey: 'unused' });
    const { embeddings } = await embedMany({ model: openai.embedding('local:embed-1'), values: ['a', 'b'] });
    console.log(JSON.stringify(embeddings));`);
  expect(JSON.parse(stdout)).toEqual([
    [0.5, 1],
    [2, 4],
  ]);
});
