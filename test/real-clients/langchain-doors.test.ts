import { TEXT, TEXT_AFTER_CALL } from '../setup/client-stage';
import { RealClient } from './client-run';

let client: RealClient;

beforeAll(async () => {
  client = await RealClient.start('LangChain');
});

afterAll(() => client.stage.end());

beforeEach(() => (client.stage.call = undefined));

/** The models of LangChain that ask at another door than chat completions. */
const MODELS = [
  {
    name: 'ChatAnthropic',
    code: (url: string, key: string) => `import { ChatAnthropic } from '@langchain/anthropic';
      const model = new ChatAnthropic({ model: 'local', apiKey: '${key}', anthropicApiUrl: '${url}', maxRetries: 0 });`,
  },
  {
    name: 'ChatOpenAI with useResponsesApi',
    code: (url: string, key: string) => `import { ChatOpenAI } from '@langchain/openai';
      const configuration = { baseURL: '${url}/v1' };
      const model = new ChatOpenAI({ model: 'local', apiKey: '${key}', useResponsesApi: true, configuration, maxRetries: 0 });`,
  },
];

describe.each(MODELS)('$name', ({ code }) => {
  const run = (work: string, key = 'unused') => client.runModule(`${code(client.stage.gateway.url, key)}\n${work}`);

  test('stream gives the pieces', async () => {
    const work = `for await (const chunk of await model.stream('Hello')) process.stdout.write(chunk.text);`;
    expect(await run(work)).toMatchObject({ code: 0, stdout: TEXT });
    expect(client.stage.chats.at(-1)).toMatchObject({ model: 'm-1', stream: true });
  });

  test('invoke gives the answer and its usage', async () => {
    const { stdout } = await run(`const { text, usage_metadata: usage } = await model.invoke('Hello');
      console.log(JSON.stringify([text, usage.input_tokens, usage.output_tokens]));`);
    expect(JSON.parse(stdout)).toEqual([TEXT, 3, 2]);
  });

  test('a round of tool calls', async () => {
    client.stage.call = { name: 'add', arguments: { a: 1, b: 2 } };
    const { stdout } = await run(`import { HumanMessage, ToolMessage } from '@langchain/core/messages';
      const schema = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } };
      const bound = model.bindTools([{ type: 'function', function: { name: 'add', parameters: schema } }]);
      const messages = [new HumanMessage('What is 1 + 2?')];
      const call = await bound.invoke(messages);
      const [{ id, args }] = call.tool_calls;
      messages.push(call, new ToolMessage({ tool_call_id: id, content: String(args.a + args.b) }));
      console.log((await bound.invoke(messages)).text);`);
    expect(stdout.trim()).toBe(TEXT_AFTER_CALL);
    expect(client.stage.result).toBe('3');
  });

  test('it throws what the gateway says to a wrong key', async () => {
    const { code: exit, stderr } = await run(`await model.invoke('Hello');`, 'wrong');
    expect(exit).toBe(1);
    expect(stderr).toContain('this gateway wants its key');
  });
});
