import type { TryLine } from '../../core/dashboard/protocol';
import { say, script } from '../agents/scripted-agent';
import { AgentHome } from '../setup/agent-home';
import { DashboardClient } from './dashboard-client';

const home = new AgentHome();
let client: DashboardClient;

beforeAll(async () => {
  client = await DashboardClient.open(home);
});

function send(body: unknown, init: RequestInit = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: new URL(client.url).origin };
  return client.get('api/try', {
    method: 'POST',
    body: JSON.stringify(body),
    ...init,
    headers: { ...headers, ...init.headers },
  });
}

const ask = (prompt: string, more: Record<string, unknown> = {}) => ({
  project: null,
  provider: 'main',
  prompt,
  ...more,
});

async function linesOf(answer: Response): Promise<TryLine[]> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  return (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TryLine);
}

test('an answer comes in pieces, with what it used at the end, and counts as a request', async () => {
  const reader = await client.events();
  const prompt = script([{ type: 'reasoning', text: 'hm' }, say('one '), say('two')]);
  const lines = await linesOf(await send(ask(prompt, { model: 'm-9' })));
  expect(lines.slice(0, -1)).toEqual([
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'one ' },
    { type: 'text', text: 'two' },
  ]);
  const used = {
    ms: expect.any(Number),
    firstMs: expect.any(Number),
    usage: expect.objectContaining({ inputTokens: 100 }),
  };
  expect(lines.at(-1)).toMatchObject({ type: 'end', ...used });
  await reader.until(({ live }) => live.filter(({ kind }) => kind === 'request').length === 2);
  reader.close();
  const [row] = (await client.state()).requests;
  expect(row).toMatchObject({ provider: 'main', model: 'm-9', stream: true, end: { status: 200, ...used } });
  const { turns } = await client.json<{ turns: unknown[] }>('api/turns');
  expect(turns[0]).toMatchObject({ source: 'dashboard', provider: 'main', ok: true });
});

test('a failure is the last line, with its hint', async () => {
  const lines = await linesOf(
    await send(ask(script([say('x'), { fail: ['rejected', 'no such model', { hint: 'choose another' }] }]))),
  );
  expect(lines).toEqual([
    { type: 'text', text: 'x' },
    { type: 'error', message: expect.stringContaining('no such model'), hint: 'choose another' },
  ]);
  expect((await client.state()).requests[0]).toMatchObject({
    end: { status: 502, error: expect.stringContaining('no such model') },
  });
});

test('the models to choose from are those that the backend offers, or those of the configuration', async () => {
  expect(await client.json('api/models?provider=main')).toMatchObject({ listed: false, models: [{ name: 'm-1' }] });
  expect((await client.get('api/models?provider=main&project=/p')).status).toBe(400);
});

test('a page that stops ends the call', async () => {
  const reader = await client.events();
  const stopping = new AbortController();
  const answer = await send(ask(script([say('x'), { hang: true }])), { signal: stopping.signal });
  await answer.body!.getReader().read();
  stopping.abort();
  await reader.until(({ live }) => live.filter(({ kind }) => kind === 'request').length === 2);
  reader.close();
  expect((await client.state()).requests[0]).toMatchObject({ end: { status: 499 } });
});

test.each([
  ['another site', 403, 'forbidden_origin', { headers: { origin: 'http://evil.example' } }],
  ['no cookie', 401, 'no_token', { headers: { cookie: '' } }],
  ['no JSON', 415, 'unsupported_media_type', { headers: { 'content-type': 'text/plain' } }],
  ['an empty prompt', 400, 'invalid_request', { body: JSON.stringify(ask('')) }],
  ['an unknown provider', 400, 'invalid_request', { body: JSON.stringify(ask('x', { provider: 'nobody' })) }],
  ['the provider of another project', 400, 'invalid_request', { body: JSON.stringify(ask('x', { project: '/p' })) }],
  ['a broken body', 400, 'invalid_request', { body: '{' }],
] as const)('a question with %s is %i', async (_name, status, code, init) => {
  const answer = await send(ask('x'), init);
  expect([answer.status, await answer.json()]).toMatchObject([status, { error: { code } }]);
});
