import { TEXT, TEXT_AFTER_CALL } from '../setup/client-stage';
import { RealClient } from './client-run';

let client: RealClient;

beforeAll(async () => {
  client = await RealClient.start('LangChain');
});

afterAll(() => client.stage.end());

/** The model of the page, and what to do with it. */
const withModel = (code: string) => `${client.block('js').replace(/^for await .*\n/m, '')}\n${code}`;

test('the code of the page streams an answer', async () => {
  expect(await client.runModule(client.block('js'))).toEqual({ code: 0, stdout: TEXT, stderr: '' });
  expect(client.stage.chats.at(-1)).toMatchObject({ model: 'm-1', stream: true });
});

test('invoke gives the answer and its usage', async () => {
  const { stdout } = await client.runModule(
    withModel(`const { content, usage_metadata: usage } = await model.invoke('Hello');
      console.log(JSON.stringify([content, usage.input_tokens, usage.output_tokens]));`),
  );
  expect(JSON.parse(stdout)).toEqual([TEXT, 3, 2]);
});

test.each([
  ['invoke', 'const call = await bound.invoke(messages);'],
  [
    'stream',
    'let call; for await (const chunk of await bound.stream(messages)) call = call ? call.concat(chunk) : chunk;',
  ],
])('a round of tool calls with %s', async (_name, ask) => {
  client.stage.call = { name: 'add', arguments: { a: 1, b: 2 } };
  const { stdout } = await client.runModule(
    withModel(`import { HumanMessage, ToolMessage } from '@langchain/core/messages';
      const schema = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } };
      const bound = model.bindTools([{ type: 'function', function: { name: 'add', parameters: schema } }]);
      const messages = [new HumanMessage('What is 1 + 2?')];
      ${ask}
      const [{ id, args }] = call.tool_calls;
      messages.push(call, new ToolMessage({ tool_call_id: id, content: String(args.a + args.b) }));
      console.log((await bound.invoke(messages)).content);`),
  );
  expect(stdout.trim()).toBe(TEXT_AFTER_CALL);
  expect(client.stage.result).toBe('3');
});

test('a name with codex in it is no reason to ask another API', async () => {
  const { stdout } = await client.runModule(client.block('js').replace("'local'", "'local:codex'"));
  expect(stdout).toBe(TEXT);
  expect(client.stage.chats.at(-1)).toMatchObject({ model: 'codex' });
});

test('it throws what the gateway says to a wrong key', async () => {
  const { code, stderr } = await client.runModule(client.block('js').replace('unused', 'wrong'));
  expect(code).toBe(1);
  expect(stderr).toContain('Authorization: Bearer');
});
