import type { RunningGateway } from '../setup/running-gateway';
import { stop, text, useScripted } from './scripted-driver';

let gateway: RunningGateway;
useScripted((started) => (gateway = started));

const DOORS: Record<string, object> = {
  '/v1/chat/completions': { messages: [{ role: 'user', content: 'Hello' }], stream_options: { include_usage: true } },
  '/v1/messages': { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 9 },
  '/v1/responses': { input: 'Hello' },
};
const USAGE = { type: 'usage', inputTokens: 3, outputTokens: 2 };
const SCRIPT = [text('W\u00e9 '), { pause: 1 }, text('are '), text('\u{1f600}.'), USAGE, stop];

async function ask(path: string, stream: boolean): Promise<string> {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'main', ...DOORS[path], stream, script: SCRIPT }),
  });
  const answer = await response.text();
  return answer.replace(/"((?:item_)?id)":"[^"]*"/g, '"$1":""').replace(/"(created|\w+_at)":\d+/g, '"$1":0');
}

test('of many calls at once, each has the answer of a lone one', async () => {
  const calls = Object.keys(DOORS).flatMap((path) => [false, true].map((stream) => ({ path, stream })));
  const lone: string[] = [];
  for (const { path, stream } of calls) lone.push(await ask(path, stream));
  expect(lone.every((answer) => answer.includes('\u{1f600}'))).toBe(true);
  const rounds = await Promise.all(
    Array.from({ length: 20 }, () => Promise.all(calls.map(({ path, stream }) => ask(path, stream)))),
  );
  for (const answers of rounds) expect(answers).toEqual(lone);
});
