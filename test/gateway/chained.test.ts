import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { logged, logLines, type Step, stop, text, useScripted } from './scripted-driver';
import { errorOf } from './wire';

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
