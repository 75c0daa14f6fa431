/** One conversation by several doors: a program that waits goes on for the door that its calls went through, and for no other. */
import { type CliRunRecord, type CliStep, FakeCli } from 'drivebay/testing';
import { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { asksFor, conversation } from './conversation';
import { isHelp } from './harness';
import { SESSION_HELP } from './help';
import { blockStop, calls, delta, init, messageDelta, messageStart, messageStop, result, resulted } from './lines';

type Fields = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- bodies of three wires

const home = new TempHome();
let cli: FakeCli;
let gateway: RunningGateway;
let asked = 0;

const says = (text: string): CliStep[] => [
  ...[messageStart('msg_end'), delta(text), messageDelta('end_turn'), messageStop(), result(text, { num_turns: 2 })],
];

function callsTool(): CliStep[] {
  const id = `toolu_${(asked += 1)}`;
  return [
    ...[messageStart(`msg_${id}`), delta('Looking.'), blockStop(), ...calls(id, 'look'), asksFor(id, 'look')],
    ...[blockStop(), messageDelta('tool_use'), messageStop()],
  ];
}

const answer = ({ message }: { message?: object }): CliStep[] =>
  JSON.stringify(message).includes('tool_result') ? says(`Anew: ${JSON.stringify(message)}`) : callsTool();
const afterResult = (id: string, content: Fields[], _run: CliRunRecord): CliStep[] => [
  resulted(id, content),
  ...says(content.map(({ text }) => text as string).join()),
];

beforeAll(async () => {
  cli = await FakeCli.start({ name: 'claude' });
  cli.script((run) => (isHelp(run) ? [SESSION_HELP] : [init(), result('No session')]));
  cli.converse(conversation({ answer, result: afterResult }));
  const entry = { name: 'one', driver: 'claude-code', command: cli.command, default_model: 'm', warm: false };
  const limits = { max_concurrency: 1, max_queue: 0, grace_sec: 1 };
  home.configure(JSON.stringify({ version: '1', providers: [{ ...entry, ...limits }] }));
  gateway = await RunningGateway.start([], { env: home.environment() });
});

afterAll(async () => {
  await gateway.stop();
  await cli.close();
  home.remove();
});

async function post(path: string, body: Fields): Promise<{ warm: string | null; body: Fields; text: string }> {
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
  const request = { method: 'POST', headers, body: JSON.stringify({ model: 'one', ...body }) };
  const response = await fetch(`${gateway.url}/v1/${path}`, request);
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return { warm: response.headers.get('x-drivebay-warm'), body: JSON.parse(text) as Fields, text };
}

const parameters = { type: 'object', properties: {} };
const inMessages = { max_tokens: 100, tools: [{ name: 'look', input_schema: parameters }] };
const inChat = { max_tokens: 100, tools: [{ type: 'function', function: { name: 'look', parameters } }] };
const inResponses = { tools: [{ type: 'function', name: 'look', parameters }] };
const GO = { role: 'user', content: 'Go' };

async function beginInMessages(first: Fields = GO) {
  const { body } = await post('messages', { ...inMessages, messages: [first] });
  const [{ id }] = body.content.filter(({ type }: Fields) => type === 'tool_use');
  const next = (result: Fields) => [
    ...[GO, { role: 'assistant', content: body.content }],
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, ...result }] },
  ];
  return { id: id as string, next };
}

test('the results of one door in another one are told anew, and the program waits on for its own', async () => {
  const { id, next } = await beginInMessages();
  const call = { id, type: 'function', function: { name: 'look', arguments: '{}' } };
  const messages = [
    ...[GO, { role: 'assistant', content: 'Looking.', tool_calls: [call] }],
    { role: 'tool', tool_call_id: id, content: 'sunny' },
  ];
  const other = await post('chat/completions', { ...inChat, messages });
  expect([other.warm, other.text]).toEqual(['cold', expect.stringContaining('sunny')]);
  const own = await post('messages', { ...inMessages, messages: next({ content: 'rain' }) });
  expect([own.warm, own.body.content]).toEqual(['resumed', [{ type: 'text', text: 'rain' }]]);
});

test('a result that is an error goes on, and so does one whose client moves the marks of its cache', async () => {
  const cache_control = { type: 'ephemeral' };
  const { next } = await beginInMessages({ role: 'user', content: [{ type: 'text', text: 'Go', cache_control }] });
  const messages = next({ content: 'no such city', is_error: true, cache_control });
  const { warm, body } = await post('messages', { ...inMessages, messages });
  expect([warm, body.content]).toEqual(['resumed', [{ type: 'text', text: 'Error: no such city' }]]);
});

test('a response that the gateway has kept goes on with the results alone', async () => {
  const first = await post('responses', { ...inResponses, input: 'Go', instructions: 'Be brief' });
  const { call_id } = first.body.output.find(({ type }: Fields) => type === 'function_call');
  const next = (output: string) => ({
    ...{ ...inResponses, instructions: 'Be brief', previous_response_id: first.body.id },
    input: [{ type: 'function_call_output', call_id, output }],
  });
  const second = await post('responses', next('sunny'));
  expect([second.warm, second.text]).toEqual(['resumed', expect.stringContaining('sunny')]);
  // A fork of the same response.
  const fork = await post('responses', next('rain'));
  expect([fork.warm, fork.text]).toEqual(['cold', expect.stringMatching(/rain/)]);
  expect(fork.text).not.toContain('sunny');
});

test('a program that waits holds no place of the provider', async () => {
  const [one, other] = [await beginInMessages(), await beginInMessages()];
  for (const { next } of [one, other]) {
    expect((await post('messages', { ...inMessages, messages: next({ content: 'sunny' }) })).warm).toBe('resumed');
  }
});
