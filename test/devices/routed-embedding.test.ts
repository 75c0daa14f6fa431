import { openaiAnswer } from '../gateway/dialects/chat-completions/embeddings/embedding-upstream';
import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { json, posts, Upstream } from '../setup/upstream';

const home = new TempHome();
const upstreams: Record<string, Upstream> = {};
let gateway: RunningGateway;

const provider = (name: string, model: string) =>
  `  - { name: ${name}, driver: openai-compatible, base_url: "${upstreams[name]!.url}", embedding_model: "${model}" }`;

beforeAll(async () => {
  const down = () => json({ error: { message: 'down' } }, { status: 503 });
  for (const name of ['broken', 'local', 'seller', 'plain']) {
    upstreams[name] = (await Upstream.start()).answer(name === 'broken' ? down : openaiAnswer);
  }
  home.configure(`version: "1"
providers:
${provider('broken', 'small')}
${provider('local', 'nomic')}
${provider('seller', 'sold/small')}
  - { name: plain, driver: openai-compatible, base_url: "${upstreams.plain!.url}" }
  - { name: chats, driver: anthropic, base_url: "${upstreams.plain!.url}", api_key_env: A_KEY, default_model: c }
routes:
  - { name: one, targets: [broken, local] }
  - { name: three, targets: [broken, local, plain] }
  - { name: mixed, targets: [chats, seller] }
  - { name: unset, targets: [chats, plain] }
  - { name: spelled, targets: [broken, local, "seller:sold/small:v2"] }
`);
  gateway = await RunningGateway.start([], { env: home.environment({ A_KEY: 'key-of-a-test' }) });
});

afterAll(async () => {
  await gateway.stop();
  for (const upstream of Object.values(upstreams)) await upstream.close();
  home.remove();
});

const ask = (model: string) =>
  fetch(`${gateway.url}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: 'x' }),
  });

const answered = async (model: string) => {
  const { status, headers } = await ask(model);
  const by = headers.get('x-drivebay-provider');
  return [status, by, status === 200 ? posts(upstreams[by!]!).at(-1)!.body.model : undefined];
};

test('a target with another embedding_model does not answer, because its vectors would not fit to the others', async () => {
  const answer = await ask('one');
  expect([answer.status, answer.headers.get('x-drivebay-provider')]).toEqual([502, 'broken']);
  expect(await answer.text()).toContain('name it in the route: local:small');
  expect(posts(upstreams.local!)).toEqual([]);
});

test('a target without one is asked for that of the first, and a target whose model the route names for that', async () => {
  expect(await answered('three')).toEqual([200, 'plain', 'small']);
  expect(await answered('spelled')).toEqual([200, 'seller', 'sold/small:v2']);
});

test('a model that the client names leads to the target that has it', async () => {
  expect(await answered('one:nomic')).toEqual([200, 'local', 'nomic']);
});

test('a target that makes no embeddings is not asked, also for a model that no target is known to have', async () => {
  const answer = await ask('mixed:new');
  expect([answer.status, answer.headers.get('x-drivebay-provider')]).toEqual([200, 'seller']);
  expect(answer.headers.get('x-drivebay-attempts')).toBe('chats=invalid_request');
});

test('a route without any embedding_model says where to set one', async () => {
  const answer = await ask('unset');
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('provider \\"plain\\" has no embedding_model: use \\"plain:<model>\\"');
});
