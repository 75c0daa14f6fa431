import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { type Answer, completion, CUT, delta, DONE, finish, json, raw, sse, Upstream } from '../setup/upstream';
import { errorOf, type Json } from './wire';

// Each test has its own pair of upstreams, so that no rest of one test reaches the next.

const PAIRS = 20;
/** Nothing listens there. */
const NOBODY = 'http://127.0.0.1:1/v1';

const home = new TempHome();
const servers: [Upstream, Upstream][] = [];
let gateway: RunningGateway;
let next = 0;

beforeAll(async () => {
  for (let pair = 0; pair < PAIRS; pair++) servers.push([await startServer(), await startServer()]);
  const provider = (name: string, url: string, more = '') =>
    `  - { name: ${name}, driver: chat-compat, base_url: "${url}", default_model: ${name}-m${more} }\n`;
  const providers = servers.map(
    ([a, b], pair) => provider(`a${pair}`, `${a.url}/v1`, ', cost_per_token: 1') + provider(`b${pair}`, `${b.url}/v1`),
  );
  const routes = servers.map((_, pair) => `  - { name: r${pair}, targets: [a${pair}, b${pair}] }\n`);
  home.configure(`version: "1"
default_provider: r0
providers:
${providers.join('')}${provider('nobody', NOBODY)}${provider('absent', NOBODY)}${provider('alone', NOBODY)}  - { name: mute, driver: chat-compat, base_url: "${NOBODY}" }
routes:
${routes.join('')}  - { name: skipped, targets: [alone, mute] }
  - { name: down, targets: [nobody] }
  - { name: "x-*-y", targets: ["b1:short"] }
  - { name: "x-*", targets: [b1] }
  - { name: "模型-*", targets: [absent] }
`);
  gateway = await RunningGateway.start(['--log-format', 'json'], { env: home.environment() });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all(servers.flat().map((server) => server.close()));
  home.remove();
});

const good = (text: string): Answer => json(completion(text));
const refused = (status: number, more: object = {}, headers: Record<string, string> = {}) =>
  json({ error: { message: 'no', ...more } }, { status, headers });

/** The answers to chats, in order; the last one serves all further chats. */
const scripts = new Map<Upstream, Answer[]>();

/** Checks of health are always answered well. */
async function startServer(): Promise<Upstream> {
  const server = await Upstream.start();
  return server.answer(({ method, body }) => {
    if (method === 'GET') return json({ data: [] });
    const answers = scripts.get(server)!;
    const answer = answers.length > 1 ? answers.shift()! : answers[0];
    return answer ?? ((body as Json).stream ? sse([delta('from b'), finish(), DONE]) : good('from b'));
  });
}

const chatsOf = ({ requests }: Upstream) => requests.filter(({ method }) => method === 'POST');

/** The next pair, with the answers of its first server. The other one says `from b`. */
function pair(answers: Answer[], others: Answer[] = []) {
  const [a, b] = servers[next]!;
  const name = String(next++);
  scripts.set(a, answers).set(b, others);
  return { a, b, route: `r${name}`, names: [`a${name}`, `b${name}`] as const };
}

async function ask(model: string, more: object = {}): Promise<{ response: Response; body: Json; said: string }> {
  const response = await gateway.chat({ model, ...more });
  const body = (await response.json()) as Json;
  return { response, body, said: body.choices?.[0]?.message.content as string };
}

const header = (response: Response, name: string) => response.headers.get(`x-drivebay-${name}`);

test('the first target answers, and the answer says so', async () => {
  const { route, names, b } = pair([good('from a')]);
  const { response, said, body } = await ask(route);
  expect([said, body.model, header(response, 'provider'), header(response, 'attempts')]).toEqual([
    'from a',
    route,
    names[0],
    null,
  ]);
  expect(chatsOf(b)).toHaveLength(0);
});

test('patterns: the longest that fits, with the model of the request where the target has none', async () => {
  const { b } = pair([]);
  await ask('x-1-y');
  await ask('x-1-z');
  expect(chatsOf(b).map(({ body }) => body.model as string)).toEqual(['short', 'x-1-z']);
  expect((await ask('x-')).response.status).toBe(200);
});

test('a pattern in any script, whose targets fail', async () => {
  const { response, body } = await ask('模型-1');
  expect([response.status, header(response, 'provider')]).toEqual([502, 'absent']);
  expect(body.error.message).toContain('route "模型-*": provider "absent"');
});

test.each<[string, Answer, string]>([
  ['500', refused(500), 'upstream'],
  ['401', refused(401), 'auth'],
  ['402', refused(402), 'billing'],
  ['403', refused(403), 'auth'],
  ['529', refused(529), 'overloaded'],
  ['429', refused(429), 'rate_limited'],
  ['a used-up quota', refused(429, { code: 'insufficient_quota' }), 'usage_limit'],
  ['a missing model', refused(404, { code: 'model_not_found', message: 'no such model' }), 'model_unavailable'],
  ['a long request', refused(400, { code: 'context_length_exceeded' }), 'context_overflow'],
  ['an empty answer', json(completion('')), 'empty'],
  ['a socket that closes', raw([CUT]), 'unreachable'],
])('%s leads on', async (_, answer, kind) => {
  const { route, names } = pair([answer]);
  const { response, said } = await ask(route);
  expect([said, header(response, 'provider'), header(response, 'attempts')]).toEqual([
    'from b',
    names[1],
    `${names[0]}=${kind}`,
  ]);
});

test('a stream leads on before its first content, and not after', async () => {
  const silent = sse([delta({ role: 'assistant' }), CUT]);
  const half = sse([delta('half'), CUT]);
  const { route, names } = pair([silent, good('back'), half]);
  const early = await gateway.chat({ model: route, stream: true });
  expect(header(early, 'attempts')).toBe(`${names[0]}=truncated`);
  expect(await early.text()).toContain('from b');
  // A success, also of a call to the provider itself, ends the rest.
  expect((await ask(names[0])).said).toBe('back');
  const late = await (await gateway.chat({ model: route, stream: true })).text();
  expect([late.includes('half'), late.includes('from b')]).toEqual([true, false]);
  expect(late).toContain('"kind":"truncated"');
});

test('the own mistake of a client is its answer', async () => {
  const { route, b } = pair([refused(422)]);
  const { response, body } = await ask(route);
  expect([response.status, chatsOf(b).length, body.error.details.kind]).toEqual([502, 0, 'rejected']);
});

test('when nobody answers the error has every attempt, and the end of the first rest', async () => {
  const { route, names } = pair(
    [refused(429, {}, { 'retry-after': '3000' })],
    [refused(503, {}, { 'retry-after': '2000' })],
  );
  for (const asked of [true, false]) {
    const { response, body } = await ask(route);
    const { details, message } = body.error as Json;
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([502, 'false']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(1900);
    const attempts = asked ? [...names] : [...names].reverse();
    expect((details.attempts as Json[]).map(({ provider }) => provider as string)).toEqual(attempts);
    expect(details.provider).toBe(attempts[1]);
    expect(message).toMatch(asked ? /answered 503/ : /rests until .*Z: .*answered 429/);
  }
  expect(
    servers
      .flat()
      .flatMap(chatsOf)
      .filter(({ body }) => body.model === `${names[0]}-m`),
  ).toHaveLength(1);
});

test('a route on nobody names the last failure', async () => {
  const response = await gateway.chat({ model: 'down' });
  const error = errorOf(await response.text());
  expect([response.status, response.headers.get('retry-after')]).toEqual([502, '5']);
  expect(error.message).toBe('route "down": provider "nobody": 127.0.0.1:1 refused the connection');
  expect(error.details).toMatchObject({
    ...{ kind: 'unreachable', provider: 'nobody', retry_after_s: 5 },
    attempts: [{ provider: 'nobody', kind: 'unreachable', message: '127.0.0.1:1 refused the connection' }],
  });
});

test('the last failure is not listed as an earlier one when skipped targets follow it', async () => {
  const { body } = await ask('skipped');
  const { message, details } = body.error;
  expect(details.attempts.map(({ provider }: Json) => provider)).toEqual(['alone', 'mute']);
  expect(message).toBe('route "skipped": provider "alone": 127.0.0.1:1 refused the connection');
});

test('the lists of models have the routes without a star, and their rests', async () => {
  const { route, names } = pair([refused(429, {}, { 'retry-after': '600' })]);
  await ask(route);
  const { data } = (await (await fetch(`${gateway.url}/v1/models`)).json()) as Json;
  const entry = (id: string) => (data as Json[]).find((each) => each.id === id);
  expect(entry('r0')).toMatchObject({ object: 'model', owned_by: 'drivebay' });
  expect([entry('x-*'), entry('r0:x')]).toEqual([undefined, undefined]);
  const { rests_until: until, rests_after: kind } = entry(names[0])!;
  expect([kind, Date.parse(until as string) > Date.now() + 500_000]).toEqual(['rate_limited', true]);
  expect(entry(names[1])!.rests_until).toBeUndefined();
});

test('the ledger has each attempt that reached a backend, with the route', async () => {
  const { route, names } = pair([refused(500)]);
  await ask(route);
  const lines = async () => {
    const { stdout } = await home.run('usage', '--by', 'provider', '--json');
    return (JSON.parse(stdout) as { usage: Json[] }).usage;
  };
  const of = (rows: Json[], name: string) => rows.find(({ key }) => key === name);
  const rows = await lines();
  expect([of(rows, names[0]), of(rows, names[1])]).toMatchObject([
    { turns: 1, failed: 1 },
    { turns: 1, failed: 0, inputTokens: 3 },
  ]);
  const folder = join(home.directory, '.local/state/drivebay/usage');
  const text = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('');
  expect(text.match(new RegExp(`"route":"${route}"`, 'g'))).toHaveLength(2);
});
