import type { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { type Answer, completion, CUT, DONE, delta, finish, json, raw, sse, Upstream } from '../setup/upstream';
import { startScripted } from './scripted-driver';
import { errorOf, events } from './wire';

const home = new TempHome();
let gateway: RunningGateway;
let upstream: Upstream;
let answer: Answer;

beforeAll(async () => {
  upstream = await Upstream.start();
  upstream.answer(({ method }) => (method === 'GET' ? json({ data: [] }) : answer));
  gateway = await startScripted(home, {
    yaml: `version: "1"
providers: [{ name: real, driver: chat-compat, default_model: r, base_url: "${upstream.url}/v1" }]
`,
  });
});

afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  home.remove();
});

const begun = [delta({ role: 'assistant', content: '' }), delta('Hel')];

test.each<[string, Answer]>([
  ['ends without a finish', sse(begun)],
  ['is cut', sse([...begun, CUT])],
  ['is cut inside an event', sse([...begun, 'data: {"choices":[{"ind', CUT])],
  ['turns into garbage', sse([...begun, 'data: {"choices":[{"ind\n\n', finish(), DONE])],
  ['sends an error', sse([...begun, { error: { message: 'it broke' } }, DONE])],
])('a stream that %s is an error in the stream, after the text so far', async (_name, given) => {
  answer = given;
  const response = await gateway.chat({ model: 'real', stream: true });
  expect(response.status).toBe(200);
  const received = await response.text();
  expect(received).toContain('"content":"Hel"');
  expect(received).not.toContain('"finish_reason":"');
  expect(events(received).at(-1)?.error).toMatchObject({ code: 'upstream_error', details: { provider: 'real' } });
  expect(received.endsWith('data: [DONE]\n\n')).toBe(true);
});

test.each<[string, Answer]>([
  ['closes without an answer', sse([CUT])],
  ['sends nothing but [DONE]', sse([DONE])],
  ['sends an empty stream', sse([])],
  ['sends a web page', raw(['<html>Bad gateway</html>'], { headers: { 'content-type': 'text/html' } })],
  ['fails', json({ error: { message: 'it broke' } }, { status: 500 })],
])('a backend that %s is a 502, streamed or not', async (_name, given) => {
  answer = given;
  for (const stream of [true, false]) {
    const response = await gateway.chat({ model: 'real', stream });
    expect(response.status).toBe(502);
    expect(errorOf(await response.text())).toMatchObject({ code: 'upstream_error', details: { provider: 'real' } });
  }
});

test.each<[string, Answer]>([
  ['is cut', raw(['{"choices":[{"mess', CUT], { headers: { 'content-type': 'application/json' } })],
  ['is shorter than announced', raw(['{"a":'], { headers: { 'content-type': 'application/json' } })],
  ['has no choices', json({ ...completion('x'), choices: [] })],
  ['is a list', json([])],
  ['is empty', json(completion(''))],
])('a whole answer that %s is a 502', async (_name, given) => {
  answer = given;
  const response = await gateway.chat({ model: 'real' });
  expect(response.status).toBe(502);
  expect(errorOf(await response.text()).code).toBe('upstream_error');
});

test.each<[string, Answer]>([
  ['finish', sse([...begun, finish()])],
  ['[DONE]', sse([...begun, DONE])],
])('of finish and [DONE] one is enough: %s', async (_name, given) => {
  answer = given;
  const received = await (await gateway.chat({ model: 'real', stream: true })).text();
  expect(events(received).at(-1)?.choices[0].finish_reason).toBe('stop');
});
