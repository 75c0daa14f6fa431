import { readFileSync, symlinkSync } from 'node:fs';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Action, say, script } from '../../agents/scripted-agent';
import { AgentHome } from '../../setup/agent-home';
import { LiveCli } from '../../setup/live-cli';
import { freePort, RunningGateway } from '../../setup/running-gateway';
import { readPage } from '../metrics/read-page';
import { type ClientOptions, McpClient } from './mcp-stage';

/** One answer costs 1.1 USD. */
const POOR = `  - name: poor
    driver: talker
    default_model: p-1
    models: { p-1: { usd_per_mtok: { input: 10000, output: 10000 } } }
    budget_usd: { day: 0.5 }
`;
const CLIENTS = `routes:
  - { name: smart, targets: [other, main] }
  - { name: programs, targets: [other, cli] }
clients:
  - { name: whole, api_key_env: WHOLE_KEY }
  - { name: some, api_key_env: SOME_KEY, allow: [smart, programs, "main:m-1"] }
  - { name: few, api_key_env: FEW_KEY, requests_per_minute: 2 }
  - { name: once, api_key_env: ONCE_KEY, requests_per_minute: 1 }
  - { name: agents, api_key_env: AGENTS_KEY, requests_per_minute: 1 }
  - { name: single, api_key_env: SINGLE_KEY, max_concurrency: 1 }
`;
const NAMES = ['owner', 'whole', 'some', 'few', 'once', 'agents', 'single'];
const keyOf = (name: string) => `key-of-${name}-123456`;
const keys = Object.fromEntries(NAMES.map((name) => [`${name.toUpperCase()}_KEY`, keyOf(name)]));

const home = new AgentHome();
const folder = `${home.directory}/work`;
const clients: McpClient[] = [];
let cli: LiveCli;
let url: URL;

const connect = async (name: string, options?: ClientOptions) => {
  const requestInit = { headers: { authorization: `Bearer ${keyOf(name)}` } };
  const client = await McpClient.connect(new StreamableHTTPClientTransport(url, { requestInit }), options);
  clients.push(client);
  return client;
};
const ask = async (name: string, given: Record<string, unknown>) => (await connect(name)).call('ask', given);
const fail = (on: string, message: string): Action => ({ failOn: [on, 'upstream', message] });
const booked = async () => {
  await home.call('GET', '/v1/daemon');
  const { stdout } = await home.run('usage', '--by', 'client', '--json');
  return JSON.parse(stdout) as { rows?: unknown } & Record<string, unknown>;
};

beforeAll(async () => {
  const providers = readFileSync(`${home.directory}/.config/drivebay/providers.yaml`, 'utf8');
  home.configure(providers.replace('providers:\n', `providers:\n${POOR}`) + CLIENTS);
  home.write('work/.drivebay/providers.yaml', 'version: "1"\n');
  const port = await freePort();
  const words = ['mcp', 'serve', '--http', '--port', String(port), '--api-key-env', 'OWNER_KEY'];
  cli = new LiveCli(words, { env: home.environment(keys), cwd: folder });
  await cli.until(/\/mcp\n/);
  url = new URL(`http://127.0.0.1:${port}/mcp`);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await cli.signal('SIGTERM').end();
});

test('a client asks, compares and runs agents in its own name', async () => {
  const client = await connect('whole');
  expect((await client.call('ask', { prompt: script([say('one')]) })).text).toBe('one');
  const compared = await client.call('compare', { prompt: 'hi', models: ['main', 'other'] });
  expect(compared.isError).toBe(false);
  const run = await client.call('run_agent', { intent: script([say('done')]) });
  expect([run.text, run.facts.state]).toEqual(['done', 'done']);
  expect(JSON.stringify(await booked())).toContain('"whole"');
  const { text } = await home.call('GET', `/v1/processes/${String(run.facts.pid)}`);
  expect(JSON.parse(text)).toMatchObject({ client: 'whole' });
});

test('a key in the place of a name is in no answer', async () => {
  const key = 'sk-proj-0123456789abcdefABCDEF';
  const client = await connect('whole');
  const answers = [
    await client.call('run_agent', { intent: 'hi', provider: 'main', model: key }),
    await client.call('compare', { prompt: 'hi', models: [key, 'other'] }),
    await client.call('result', { pid: key }),
  ];
  for (const answer of answers) {
    expect(JSON.stringify(answer)).toContain('not shown: it looks like a key');
    expect(JSON.stringify(answer)).not.toContain(key);
  }
});

describe('a client with a list of what is allowed', () => {
  test('asks for nothing else, whether it exists or not', async () => {
    for (const model of ['other', 'main:big', 'nothing']) {
      const { text, isError } = await ask('some', { prompt: 'hi', model });
      expect([isError, text]).toEqual([
        true,
        expect.stringMatching(`client "some" may not ask for model "${model}"; available: main:m-1, smart, programs`),
      ]);
    }
    expect((await ask('some', { prompt: script([say('by default')]) })).text).toBe('by default');
  });

  test('runs agents on nothing else', async () => {
    const client = await connect('some');
    const none = await client.call('run_agent', { intent: 'hi', provider: 'other' });
    expect(none.text).toContain('there is no provider "other"');
    expect(none.text).not.toContain('plain');
    const model = await client.call('run_agent', { intent: 'hi', provider: 'main', model: 'big' });
    expect(model.text).toContain('client "some" may not ask for model "main:big"');
    // A model of another provider is no tool of the agent.
    const { facts } = await client.call('run_agent', { intent: script([{ tell: 'request' }]), provider: 'main' });
    const { tools = [] } = JSON.parse(facts.answer as string) as { tools?: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['llm_smart', 'llm_programs']);
  });

  test('does not learn who is behind a route', async () => {
    const client = await connect('some');
    const { facts } = await client.call('ask', { prompt: script([fail('other', 'x'), say('ok')]), model: 'smart' });
    expect([facts.answer, facts.provider, facts.model]).toEqual(['ok', 'smart', undefined]);
    const intent = script([fail('other', 'x'), say('ok')]);
    const run = await client.call('run_agent', { intent, provider: 'smart' });
    expect(run.text).toBe('ok');
    const uri = `drivebay://process/${String(run.facts.pid)}/trace`;
    const { contents } = await client.client.readResource({ uri });
    const trace = (contents[0] as { text: string }).text.replaceAll(intent.replaceAll('"', '\\"'), '');
    expect(trace).not.toMatch(/"other"|"main"|talker|m-1|o-1/);
    const broken = await client.call('ask', { prompt: script([{ fail: ['upstream', 'at main'] }]), model: 'smart' });
    expect(broken.text).toContain('no target has answered (upstream)');
    expect(broken.text).not.toContain('main');
    const { text } = await client.call('models');
    expect(text).toContain('smart: ');
    expect(text).not.toMatch(/other|plain|route over|cli\b/);
  });

  test('a program behind a route keeps its own tools', async () => {
    const client = await connect('some');
    const calls = { type: 'tool_call', index: 0, id: 'a', name: 'own_tool', arguments: '{}' };
    const intent = script([{ failOn: ['other', 'upstream', 'x'] }, calls, say('worked')]);
    const { text, facts } = await client.call('run_agent', { intent, provider: 'programs' });
    expect([text, facts.state]).toEqual(['worked', 'done']);
  });
});

test('a client sees its own processes, and the owner those of all', async () => {
  const run = async (name: string) => {
    const { facts } = await (await connect(name)).call('run_agent', { intent: script([say(`secret of ${name}`)]) });
    return facts.pid as number;
  };
  const [theirs, own] = [await run('whole'), await run('single')];
  const client = await connect('single');
  const list = async (each: McpClient) =>
    ((await each.call('processes', { all: true })).facts.processes as { pid: number }[]).map(({ pid }) => pid);
  expect(await list(client)).toEqual([own]);
  expect(await list(await connect('owner'))).toEqual(expect.arrayContaining([own, theirs]));
  const refused = await client.call('result', { pid: theirs });
  expect(refused.text).toBe(
    `there is no process ${theirs}\nthe tool \`processes\` lists those that this client may see`,
  );
  await expect(client.client.readResource({ uri: `drivebay://process/${theirs}/trace` })).rejects.toThrow('no process');
  const { resources } = await client.client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([`drivebay://process/${own}/trace`]);
});

test('the limits of a client count questions and the steps of agents alike', async () => {
  expect((await ask('few', { prompt: 'hi' })).text).toBe('Hello');
  const run = await (await connect('few')).call('run_agent', { intent: script([say('second')]) });
  expect(run.text).toBe('second');
  const { text, isError } = await ask('few', { prompt: 'hi' });
  expect([isError, text]).toEqual([
    true,
    expect.stringMatching(/the limit of 2 requests per minute is reached \(requests_per_minute of client "few"\)/),
  ]);
  const chat = await fetch(new URL('/v1/chat/completions', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${keyOf('few')}` },
    body: JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(chat.status).toBe(429);
});

test('an agent that runs into a limit of its client ends with the reason', async () => {
  const call = { type: 'tool_call', index: 0, id: 'a', name: 'llm_other', arguments: JSON.stringify({ prompt: 'hi' }) };
  const { facts, isError } = await (
    await connect('agents')
  ).call('run_agent', { intent: script([call], [say('never')]) });
  expect([isError, facts.state]).toEqual([true, 'failed']);
  expect(facts.error).toContain(
    'the limit of 1 requests per minute is reached (requests_per_minute of client "agents")',
  );
});

test('a client with one slot is answered one after the other, also by agents', async () => {
  const client = await connect('single');
  const meet = script([{ meet: 2 }, say('together')]);
  const one = client.call('run_agent', { intent: meet });
  const two = client.call('run_agent', { intent: script([say('after')]) });
  // Another client makes the first one go on.
  expect((await ask('whole', { prompt: meet })).text).toBe('together');
  expect([(await one).text, (await two).text]).toEqual(['together', 'after']);
});

test('what the owner spends, and where that stands, is told to no client', async () => {
  expect((await ask('whole', { prompt: 'hi', model: 'poor' })).text).toBe('Hello');
  const asked = await ask('whole', { prompt: 'hi', model: 'poor' });
  const run = await (await connect('whole')).call('run_agent', { intent: 'hi', provider: 'poor' });
  for (const { text, isError } of [asked, run]) {
    expect([isError, text]).toEqual([true, expect.stringContaining('the budget for this day is spent')]);
    expect(text).not.toMatch(/USD|providers\.yaml/);
  }
  expect((await ask('owner', { prompt: 'hi', model: 'poor' })).text).toMatch(/0\.5 USD[^]*providers\.yaml:/);
});

test('who is turned away is counted, as at the gateway, and by its metrics', async () => {
  const words = ['--metrics', '--api-key-env', 'OWNER_KEY'];
  const gateway = await RunningGateway.start(words, { env: home.environment(keys), cwd: folder });
  const countOf = async (name: string, reason: string) => {
    const { text } = await home.call('GET', '/v1/limits');
    const { clients: known } = JSON.parse(text) as {
      clients: { name: string; turnedAway: { reason: string; count: number }[] }[];
    };
    return known.find((each) => each.name === name)?.turnedAway.find((each) => each.reason === reason)?.count ?? 0;
  };
  const before = await countOf('some', 'allow');
  await ask('some', { prompt: 'hi', model: 'other' });
  expect(await countOf('some', 'allow')).toBe(before + 1);
  await ask('once', { prompt: 'hi' });
  await ask('once', { prompt: 'hi' });
  expect(await countOf('once', 'requests')).toBe(1);
  const page = await readPage(gateway.url, { authorization: `Bearer ${keyOf('owner')}` });
  expect(page.value('drivebay_turned_away_total', { client: 'some', reason: 'allow' })).toBe(1);
  expect(page.value('drivebay_turned_away_total', { client: 'once', reason: 'requests' })).toBe(1);
  await gateway.stop();
});

test('a client sends files below a folder of --root only, and none that may hold keys', async () => {
  home.write('work/notes.txt', 'a note');
  const { text } = await ask('whole', { prompt: 'hi', files: ['notes.txt'] });
  expect(text).toBe(
    'there is no folder whose files this client may send\n' +
      'start the gateway with the folder: drivebay mcp serve --http --root FOLDER',
  );
  home.write('work/.env.local', 'KEY=secret');
  home.write('work/sub/providers.yaml', 'secret');
  symlinkSync(`${folder}/.env.local`, `${folder}/innocent.txt`);
  const port = await freePort();
  const words = ['mcp', 'serve', '--http', '--port', String(port), '--root', home.directory];
  const gateway = new LiveCli(words, { env: home.environment(keys), cwd: folder });
  await gateway.until(/\/mcp\n/);
  const requestInit = { headers: { authorization: `Bearer ${keyOf('whole')}` } };
  const at = new URL(`http://127.0.0.1:${port}/mcp`);
  const client = await McpClient.connect(new StreamableHTTPClientTransport(at, { requestInit }));
  clients.push(client);
  expect((await client.call('ask', { prompt: 'hi', files: ['work/notes.txt'] })).text).toBe('Hello');
  const closed = ['.env.local', 'sub/providers.yaml', '.drivebay/providers.yaml', 'innocent.txt'].map(
    (file) => `work/${file}`,
  );
  for (const file of [...closed, '.config/drivebay/providers.yaml', '.local/state/drivebay/daemon.log', 'none/.env']) {
    const refused = await client.call('ask', { prompt: 'hi', files: [file] });
    expect(refused).toMatchObject({
      isError: true,
      text: `${file} is closed to clients, because it may hold keys\nsay in the prompt what matters of it`,
    });
  }
  await client.close();
  await gateway.signal('SIGTERM').end();
});

test('a client has 16 agents at a time', async () => {
  const client = await connect('single');
  const begin = () =>
    client.call('run_agent', { intent: script([{ sleepOn: ['main', `${folder}/pid`] }]), wait: false });
  const pids: unknown[] = [];
  for (let i = 0; i < 16; i += 1) pids.push((await begin()).facts.pid);
  expect(await begin()).toMatchObject({
    isError: true,
    text: 'client "single" has 16 agents running, and no more can run at the same time\ntry again when one of them has ended',
  });
  for (const pid of pids) await home.call('POST', `/v1/processes/${String(pid)}/kill`);
  for (const pid of pids) await home.call('GET', `/v1/processes/${String(pid)}/wait`);
  expect((await client.call('run_agent', { intent: script([say('again')]) })).text).toBe('again');
});

test('only the key that began a session can continue it', async () => {
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${keyOf('whole')}` } },
  });
  clients.push(await McpClient.connect(transport));
  const ping = (name: string) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${keyOf(name)}`,
        'mcp-session-id': transport.sessionId!,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'ping' }),
    });
  expect([(await ping('few')).status, (await ping('owner')).status, (await ping('nobody')).status]).toEqual([
    404, 404, 401,
  ]);
  expect((await ping('whole')).status).toBe(200);
});

test('no client allows agents to act, whatever it says', async () => {
  const bold = new AgentHome();
  const text = readFileSync(`${bold.directory}/.config/drivebay/providers.yaml`, 'utf8');
  const acting = text.replace('driver: worker', 'driver: worker, may_do: all');
  bold.configure(`${acting}clients:\n  - { name: whole, api_key_env: WHOLE_KEY }\n`);
  const port = await freePort();
  // The keys of clients are enough: no --api-key-env.
  const gateway = new LiveCli(['mcp', 'serve', '--http', '--port', String(port)], { env: bold.environment(keys) });
  await gateway.until(/\/mcp\n/);
  const requestInit = { headers: { authorization: `Bearer ${keyOf('whole')}` } };
  const at = new URL(`http://127.0.0.1:${port}/mcp`);
  const client = await McpClient.connect(new StreamableHTTPClientTransport(at, { requestInit }), { allow: true });
  clients.push(client);
  const { text: told } = await client.call('run_agent', { intent: 'hi', provider: 'cli' });
  expect(told).toContain('to allow it, once, in a terminal');
  expect(client.asked).toEqual([]);
  await client.close();
  await gateway.signal('SIGTERM').end();
});
