import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { logged, logLines, type Step, stop, text, useScripted } from './scripted-driver';
import { errorOf, type Json } from './wire';

/** One machine whose gateway is a provider of another one's, as docs/scaling.md says. */
const KEY = 'the-key-between-the-two';
const nearHome = new TempHome();
let far: RunningGateway;
let near: RunningGateway;

useScripted(
  (started) => (far = started),
  () => ({ words: ['--api-key-env', 'GATEWAY_KEY'], env: { GATEWAY_KEY: KEY } }),
);
beforeAll(async () => {
  nearHome.configure(`version: "1"
default_provider: office
providers:
  - { name: office, driver: chat-compat, base_url: "${far.url}/v1", api_key_env: OFFICE_KEY, default_model: main }
  - { name: office-messages, driver: eta, base_url: "${far.url}", api_key_env: OFFICE_KEY, default_model: main }
  - { name: office-responses, driver: epsilon, wire: responses, base_url: "${far.url}/v1", api_key_env: OFFICE_KEY, default_model: main }
  - { name: keyless, driver: chat-compat, base_url: "${far.url}/v1", default_model: main }
`);
  near = await RunningGateway.start(['--log-format', 'json'], { env: nearHome.environment({ OFFICE_KEY: KEY }) });
});

afterAll(async () => {
  await near.stop();
  nearHome.remove();
});

/** Asks the near gateway for the other machine. */
const ask = (body: Record<string, unknown>) => near.chat({ model: 'office', ...body });

interface Answer {
  choices: { message: { content: string } }[];
}

test('a model of the other machine is <provider>:<its provider>:<its model>', async () => {
  const response = await ask({ model: 'office:plain:some-model', script: [{ echo: 'request' }, stop] });
  const { choices } = (await response.json()) as Answer;
  expect(JSON.parse(choices[0]!.message.content)).toMatchObject({ model: 'some-model' });
});

test('a failure over there is a failure here, with its message and what it says of waiting', async () => {
  const script: Step[] = [{ fail: ['rate_limited', 'come back', { retryAfterS: 7, status: 429 }] }];
  const response = await ask({ script });
  expect(response.status).toBe(502);
  expect(response.headers.get('retry-after')).toBe('7');
  const error = errorOf(await response.text());
  expect(error.message).toMatch(/provider "office": .*502.*provider "main": come back/);
  expect(error.details).toMatchObject({ provider: 'office', upstream_status: 502 });
});

test('what the other machine refuses is not asked again', async () => {
  const response = await ask({ model: 'office:plain', messages: [{ role: 'user', content: [IMAGE] }] });
  expect(response.status).toBe(502);
  expect(response.headers.get('x-should-retry')).toBe('false');
  expect(errorOf(await response.text()).details).toMatchObject({ kind: 'rejected', upstream_status: 400 });
});

const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };

test('without the key of the other machine the message says which option names it', async () => {
  const response = await ask({ model: 'keyless' });
  const { message, details } = errorOf(await response.text());
  expect(message).toContain('wants its key');
  expect(details).toMatchObject({ kind: 'auth', upstream_status: 401, hint: expect.stringContaining('api_key_env') });
});

test('an agent CLI over there is not run again for the same request', async () => {
  const body = { model: 'office:agent', script: [{ say: 'a run' }, { fail: ['upstream', 'it broke', {}] }] };
  for (let n = 0; n < 2; n += 1) expect((await ask(body)).status).toBe(502);
  // The log comes in order: with this line, all before it are there.
  await (await ask({ script: [{ say: 'after the runs' }, text('.'), stop] })).text();
  await logged(far, 'after the runs', {});
  expect(logLines(far).filter(({ msg }) => msg === 'a run')).toHaveLength(1);
});

describe('what a driver over there wants back reaches it', () => {
  const script: Step[] = [
    { type: 'reasoning', text: 'hm', extra: { sign: 1 } },
    { type: 'tool_call', index: 0, id: 'c1', name: 'f', arguments: '{}', extra: { sign: 2 } },
    stop,
  ];
  const echo: Step[] = [{ echo: 'request' }, stop];
  const post = async (path: string, body: Json) => {
    const response = await fetch(near.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Json;
  };
  const told = [
    { type: 'reasoning', text: 'hm', extra: { sign: 1 } },
    { type: 'tool_call', id: 'c1', name: 'f', arguments: '{}', extra: { sign: 2 } },
  ];

  test('through the door for messages of both', async () => {
    const question = { role: 'user', content: 'Go' };
    const tools = [{ name: 'f', input_schema: {} }];
    const ask = (messages: Json[], steps: Step[]) =>
      post('/v1/messages', { model: 'office-messages', max_tokens: 9, tools, messages, script: steps });
    const { content } = await ask([question], script);
    const result = { type: 'tool_result', tool_use_id: content[1].id as string, content: 'ok' };
    const turn = [question, { role: 'assistant', content }, { role: 'user', content: [result] }];
    const answer = await ask(turn, echo);
    const { messages } = JSON.parse(answer.content[0].text as string) as Json;
    expect(messages.slice(1)).toMatchObject([{ parts: told }, { parts: [{ callId: 'c1' }] }]);
  });

  test('through the door for responses of both', async () => {
    const question = { role: 'user', content: 'Go' };
    const tools = [{ type: 'function', name: 'f' }];
    const ask = (input: Json[], steps: Step[]) =>
      post('/v1/responses', { model: 'office-responses', tools, input, script: steps });
    const { output } = await ask([question], script);
    const result = { type: 'function_call_output', call_id: output[1].call_id as string, output: 'ok' };
    const answer = await ask([question, ...(output as Json[]), result], echo);
    const { messages } = JSON.parse(answer.output[0].content[0].text as string) as Json;
    expect(messages.slice(1)).toMatchObject([{ parts: told }, { parts: [{ callId: 'c1' }] }]);
  });
});
