import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { once } from 'node:events';
import { controlRoutes } from '../../../core/daemon/control/control-api';
import type { Operations } from '../../../core/daemon/control/operations';
import { HEALTHY } from '../../setup/driver-code';
import { DaemonHome } from '../../setup/daemon-home';
import { freePort } from '../../setup/running-gateway';

const home = new DaemonHome();
/** Only described here, never called. */
const routes = controlRoutes({} as Operations).map((route) => ({ ...route, method: route.method.toUpperCase() }));
const workingDirectory = home.directory;
const project = { workingDirectory, demo: true };

beforeAll(async () => {
  home.plugin('sleeper', {
    code: `module.exports = () => ({ ...${HEALTHY}, async *chat(request, call) {
      yield { type: 'text', text: 'awake ' };
      await new Promise((_, reject) => call.signal.addEventListener('abort', () => reject(call.signal.reason)));
    } });`,
  });
  home.configure('version: "1"\nproviders:\n  - { name: sleeper, driver: sleeper, default_model: m }\n');
  home.write('broken/.drivebay/providers.yaml', 'providers: 3\n');
  await home.start();
});

type Json = Record<string, unknown>;
const parse = (text: string) => JSON.parse(text) as Json;
const parseLines = (text: string) => text.trim().split('\n').map(parse);

test('the documentation names every route, and no other', () => {
  const text = readFileSync(resolve(__dirname, '../../../docs/control-api.md'), 'utf8');
  const documented = [...text.matchAll(/^\| `(GET|POST|DELETE) (\/v1\S*)`/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  expect(documented.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
});

test('the documentation names every field of a request to start a process', () => {
  const text = readFileSync(resolve(__dirname, '../../../docs/control-api.md'), 'utf8');
  const spawn = routes.find(({ method, path }) => method === 'POST' && path === '/v1/processes');
  const { shape } = spawn!.body as unknown as { shape: Json };
  for (const field of Object.keys(shape)) expect(text).toContain(`\`${field}\``);
});

const SPAWN = { intent: 'x', workingDirectory: '/', project: { workingDirectory: '/' } };

test.each([
  ['GET', '/v1/nothing', undefined, 404, 'unknown_url'],
  ['GET', '/', undefined, 404, 'unknown_url'],
  ['PUT', '/v1/daemon', undefined, 405, 'method_not_allowed'],
  ['GET', '/v1/processes/77', undefined, 404, 'no_process'],
  ['POST', '/v1/processes/77/kill', undefined, 404, 'no_process'],
  ['GET', '/v1/project', undefined, 400, 'invalid_request'],
  ['GET', '/v1/project?workingDirectory=relative', undefined, 400, 'invalid_request'],
  ['POST', '/v1/processes', { intent: 3 }, 400, 'invalid_request'],
  ['POST', '/v1/processes', { ...SPAWN, agentFile: 'a' }, 400, 'invalid_request'],
  ['DELETE', '/v1/listeners/1', undefined, 404, 'no_listener'],
  ['GET', '/v1/processes/%E0%A4%A/wait', undefined, 400, 'invalid_request'],
  ['GET', '//', undefined, 404, 'unknown_url'],
  ['GET', '/v1/project?workingDirectory=/tmp%00', undefined, 400, 'invalid_request'],
  ['POST', '/v1/processes', { ...SPAWN, workingDirectory: '/\0' }, 400, 'invalid_request'],
  ['GET', '/v1/usage?to=1e300', undefined, 400, 'invalid_request'],
] as const)('%s %s is refused in JSON', async (method, path, body, status, code) => {
  const answer = await home.call(method, path, body);
  expect(answer.status).toBe(status);
  expect(parse(answer.text)).toMatchObject({ error: { code, message: expect.any(String) as string } });
});

test('a wrong method is answered with all that the path takes', async () => {
  const { text } = await home.call('PUT', '/v1/processes');
  expect(parse(text)).toMatchObject({ error: { message: '/v1/processes takes only POST, GET, HEAD' } });
});

test('a broken project is 422 with every problem and its place, and nothing else is broken', async () => {
  const answer = await home.call('GET', `/v1/project?workingDirectory=${workingDirectory}/broken`);
  expect(answer.status).toBe(422);
  expect(parse(answer.text)).toMatchObject({ error: { code: 'config_invalid', problems: [{ place: { line: 1 } }] } });
  expect((await home.call('GET', `/v1/project?workingDirectory=${workingDirectory}`)).status).toBe(200);
});

test('an attached process streams from created to exit', async () => {
  const body = { intent: 'Say hello', workingDirectory, provider: 'demo', attach: true, project };
  const { status, text } = await home.call('POST', '/v1/processes', body);
  const events = parseLines(text);
  expect([status, events[0]?.type, events.at(-1)?.type]).toEqual([201, 'created', 'exit']);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
});

test('a detached process goes on, can be followed by several, and killed', async () => {
  const body = { intent: 'wait', workingDirectory, provider: 'sleeper', project };
  const started = await home.call('POST', '/v1/processes', body);
  const { pid } = parse(started.text);
  const running = await home.call('GET', '/v1/processes');
  expect(parse(running.text)).toMatchObject({ processes: [{ pid }] });
  const watchers = [1, 2].map(() => home.call('GET', `/v1/processes/${String(pid)}/events?follow=true`));
  expect((await home.call('POST', `/v1/processes/${String(pid)}/kill`)).status).toBe(202);
  const [one, two] = await Promise.all(watchers);
  expect(parseLines(one!.text).at(-1)).toMatchObject({ type: 'exit', state: 'killed', reason: 'killed' });
  expect(two!.text).toBe(one!.text);
  expect(parse((await home.call('POST', `/v1/processes/${String(pid)}/kill`)).text)).toMatchObject({
    error: { code: 'not_running' },
  });
});

test('the stream of events has processes, requests and health', async () => {
  const stream = await home.open('GET', '/v1/events?after=0');
  stream.setEncoding('utf8');
  let text = '';
  stream.on('data', (piece: string) => (text += piece));
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text)) await once(stream, 'data');
  };
  await until(/"kind":"process"/);
  const listening = await home.open('POST', '/v1/listeners', { project, port: await freePort() });
  const [line] = (await once(listening, 'data')) as [Buffer];
  const { listening: info } = parse(line.toString().split('\n')[0]!) as { listening: { port: number } };
  await until(/"kind":"provider","provider":"demo","event":\{"type":"health","state":"healthy"/);
  await fetch(`http://127.0.0.1:${info.port}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo', messages: [{ role: 'user', content: 'hi' }] }),
  }).then((response) => response.text());
  await until(/"kind":"request"[^\n]*"type":"end","status":200/);
  expect(text).toMatch(/"kind":"request"[^\n]*"type":"start","dialect":"chat-completions","provider":"demo"/);
  stream.destroy();
  listening.destroy();
});
