import { join } from 'node:path';
import { TEXT, TEXT_AFTER_CALL } from '../setup/client-stage';
import { RealClient } from './client-run';

/** Made by python-environment.js. */
const PYTHON = join(__dirname, 'node_modules/.python/bin/python');

let client: RealClient;

beforeAll(async () => {
  client = await RealClient.start('openai for Python');
});

afterAll(() => client.stage.end());

beforeEach(() => (client.stage.call = undefined));

/** Runs a program of Python. `URL` is the address of the gateway; what `say` gets is a line of JSON. */
async function python(code: string): Promise<{ said: unknown[]; code: number | null; stderr: string }> {
  const lines = [
    'import json',
    `URL = "${client.stage.gateway.url}"`,
    'def say(value): print(json.dumps(value))',
    code,
  ];
  client.stage.home.write('project/client.py', lines.join('\n'));
  const { stdout, ...run } = await client.run(`exec "${PYTHON}" -B client.py`);
  return {
    ...run,
    said: stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown),
  };
}

const OPENAI = (key = 'unused') => `
import openai
client = openai.OpenAI(base_url=URL + "/v1", api_key="${key}", max_retries=0)
`;

const ANTHROPIC = (key = 'unused') => `
import anthropic
client = anthropic.Anthropic(base_url=URL, api_key="${key}", max_retries=0)
ask = dict(model="local", max_tokens=100, messages=[{"role": "user", "content": "Hello"}])
`;

const TOOL = { name: 'add', arguments: { a: 1, b: 2 } };
const SCHEMA = 'schema = {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}}';

describe('openai for Python', () => {
  test('the code of the page streams an answer', async () => {
    client.stage.home.write('project/page.py', client.block('python'));
    expect(await client.run(`exec "${PYTHON}" -B page.py`)).toEqual({ code: 0, stdout: TEXT, stderr: '' });
  });

  test('responses: an answer, a stream, an earlier answer, and a wrong key', async () => {
    const { said, code, stderr } = await python(`${OPENAI()}
answer = client.responses.create(model="local", instructions="Be brief.", input="Hello")
say([answer.output_text, answer.status, answer.usage.input_tokens, answer.usage.output_tokens])
with client.responses.stream(model="local", input="Hello") as stream:
    say("".join(event.delta for event in stream if event.type == "response.output_text.delta"))
    say(stream.get_final_response().output_text)
say(client.responses.create(model="local", input="More", previous_response_id=answer.id).previous_response_id == answer.id)
${OPENAI('wrong')}
try:
    client.responses.create(model="local", input="Hello")
except openai.AuthenticationError as error:
    say(error.status_code)
`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(said).toEqual([[TEXT, 'completed', 3, 2], TEXT, TEXT, true, 401]);
    expect(client.stage.chats.at(-1)).toMatchObject({ messages: [{}, { content: TEXT }, { content: 'More' }] });
  });

  test('responses: a round of tool calls', async () => {
    client.stage.call = TOOL;
    const { said, stderr } = await python(`${OPENAI()}
${SCHEMA}
tools = [{"type": "function", "name": "add", "parameters": schema, "strict": False}]
items = [{"role": "user", "content": "What is 1 + 2?"}]
answer = client.responses.create(model="local", input=items, tools=tools)
call = next(item for item in answer.output if item.type == "function_call")
items += answer.output + [{"type": "function_call_output", "call_id": call.call_id, "output": str(sum(json.loads(call.arguments).values()))}]
say(client.responses.create(model="local", input=items, tools=tools).output_text)
`);
    expect({ said, stderr }).toEqual({ said: [TEXT_AFTER_CALL], stderr: '' });
    expect(client.stage.result).toBe('3');
  });

  test('embeddings', async () => {
    const { said, stderr } = await python(`${OPENAI()}
say([entry.embedding for entry in client.embeddings.create(model="local:embed-1", input=["a", "b"]).data])
`);
    expect({ said, stderr }).toEqual({ said: [[[0.5, 1], [2, 4]]], stderr: '' }); // prettier-ignore
  });
});

describe('anthropic for Python', () => {
  test('an answer, a stream, a count of tokens, and a wrong key', async () => {
    const { said, code, stderr } = await python(`${ANTHROPIC()}
answer = client.messages.create(system="Be brief.", **ask)
say([answer.content[0].text, answer.stop_reason, answer.usage.input_tokens, answer.usage.output_tokens])
with client.messages.stream(**ask) as stream:
    say("".join(stream.text_stream))
    say(stream.get_final_message().content[0].text)
say(client.messages.count_tokens(model="local", messages=ask["messages"]).input_tokens > 0)
${ANTHROPIC('wrong')}
try:
    client.messages.create(**ask)
except anthropic.AuthenticationError as error:
    say(error.status_code)
`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(said).toEqual([[TEXT, 'end_turn', 3, 2], TEXT, TEXT, true, 401]);
  });

  test('a round of tool calls', async () => {
    client.stage.call = TOOL;
    const { said, stderr } = await python(`${ANTHROPIC()}
${SCHEMA}
ask["tools"] = [{"name": "add", "input_schema": schema}]
answer = client.messages.create(**ask)
call = next(block for block in answer.content if block.type == "tool_use")
result = {"type": "tool_result", "tool_use_id": call.id, "content": str(sum(call.input.values()))}
ask["messages"] += [{"role": "assistant", "content": answer.content}, {"role": "user", "content": [result]}]
say(client.messages.create(**ask).content[0].text)
`);
    expect({ said, stderr }).toEqual({ said: [TEXT_AFTER_CALL], stderr: '' });
    expect(client.stage.result).toBe('3');
  });
});
