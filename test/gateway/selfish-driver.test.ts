import { once } from 'node:events';
import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { errorOf, events } from './wire';

const home = new TempHome();
let gateway: RunningGateway;

const driver = (chat: string) =>
  `module.exports = () => ({ async *chat(request, call) { ${chat} }, async check() {} });`;

beforeAll(async () => {
  home.plugin('endless', { code: driver(`for (;;) yield { type: 'text', text: 'x' };`) });
  home.plugin('talkative', {
    code: driver(`yield { type: 'text', text: 'Hi' }; yield { type: 'finish', reason: 'stop' };
      for (;;) yield { type: 'text', text: 'x' };`),
  });
  home.plugin('circular', {
    code: driver(`const ring = {}; ring.ring = ring; yield { type: 'text', text: 'Hi' };
      yield { type: 'extra', response: ring }; yield { type: 'finish', reason: 'stop' };`),
  });
  home.plugin('wordless', {
    code: driver(`yield { type: 'text', text: 'Hi' }; yield { type: 'extra', delta: { count: 1n } };
      await new Promise(() => {});`),
  });
  home.configure(`version: "1"
providers:
  - { name: endless, driver: endless, default_model: m, timeout_sec: 1 }
  - { name: talkative, driver: talkative, default_model: m }
  - { name: circular, driver: circular, default_model: m }
  - { name: wordless, driver: wordless, default_model: m }
`);
  gateway = await RunningGateway.start([], { env: home.environment() });
});

afterAll(async () => {
  await gateway.stop();
  home.remove();
});

test('a driver that yields without ever waiting is stopped by timeout_sec, and others are served meanwhile', async () => {
  const answer = gateway.chat({ model: 'endless' });
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  const response = await answer;
  expect(response.status).toBe(504);
  expect(errorOf(await response.text())).toMatchObject({ code: 'timeout' });
});

test('a driver that never ends after its finish has given a good answer, and the gateway lives on', async () => {
  expect((await gateway.chat({ model: 'talkative' })).status).toBe(200);
  const streamed = await (await gateway.chat({ model: 'talkative', stream: true })).text();
  expect(events(streamed).at(-1)?.choices[0].finish_reason).toBe('stop');
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
});

test('an answer that cannot be written as JSON is the failure of its backend', async () => {
  const response = await gateway.chat({ model: 'circular' });
  expect(response.status).toBe(502);
  expect(errorOf(await response.text())).toMatchObject({ code: 'upstream_error', details: { kind: 'protocol' } });
});

test.each([1, 2])('a stream that cannot be written as JSON fails alone, with %s calls under way', async (count) => {
  const streams = Array.from({ length: count }, () => gateway.chat({ model: 'wordless', stream: true }));
  for (const stream of streams) {
    const [first, , last] = events(await (await stream).text());
    expect(first?.choices[0].delta.role).toBe('assistant');
    expect(last?.error).toMatchObject({ code: 'upstream_error', details: { kind: 'protocol' } });
  }
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
});

test('an exception that no plug-in is known to have thrown ends the program, after running streams were told', async () => {
  const own = new TempHome();
  own.plugin('bomb', {
    code: driver(
      `const stray = Object.assign(new Error('torn'), { stack: 'Error: torn\\n    at run (/elsewhere/code.js:1:1)' });
      setTimeout(() => { throw stray; }, 50); yield { type: 'text', text: 'Hi' }; await new Promise(() => {});`,
    ),
  });
  own.configure('version: "1"\nproviders: [{ name: bomb, driver: bomb, default_model: m }]');
  const doomed = await RunningGateway.start([], { env: own.environment() });
  const closed = once(doomed.child, 'close');
  const received = await (await doomed.chat({ model: 'bomb', stream: true })).text();
  expect(received).toMatch(/data: \{"error":\{.*\n\ndata: \[DONE\]\n\n$/);
  await closed;
  expect(doomed.child.exitCode).toBe(1);
  expect(doomed.stderr).toMatch(/unexpected error: .*torn.*; ending/s);
  own.remove();
});
