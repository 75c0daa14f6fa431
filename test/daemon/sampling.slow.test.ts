import { readdirSync, readFileSync } from 'node:fs';
import { installAgents, say, script, use } from '../agents/scripted-agent';
import { DaemonHome } from '../setup/daemon-home';
import { mcpJson, toolServer } from '../setup/tool-servers';
import { until } from '../setup/until';

const PROVIDERS = `version: "1"
default_provider: main
providers:
  - { name: main, driver: talker, default_model: m-1 }
  - { name: paid, driver: talker, default_model: p-1, models: { p-1: { usd_per_mtok: { input: 10000, output: 10000 } } } }
routes:
  - { name: smart, targets: [paid] }
clients:
  - { name: editor, api_key_env: EDITOR_KEY }
`;
const sampling = { sampling: true, sampling_route: 'smart', sampling_budget_usd: { day: 100 } };

const home = new DaemonHome();
installAgents(home);
home.configure(PROVIDERS);
const servers = {
  none: toolServer(home.directory),
  asks: toolServer(home.directory, sampling),
  poor: toolServer(home.directory, { ...sampling, sampling_budget_usd: { day: 0.5, month: 100 } }),
  lost: toolServer(home.directory, { ...sampling, sampling_route: 'smrt' }),
};
home.write('.config/drivebay/mcp.json', mcpJson(servers));

/** What the tool of a server was answered, as the model of the process gets it. */
const think = (server: string, input: object = {}, more: Record<string, string> = {}) =>
  home.runIn(home.directory, ['run', '--provider', 'main', scriptOf(server, input)], more);
const scriptOf = (server: string, input: object) => script([use(`mcp_${server}_think`, input)], [{ tell: 'request' }]);
const resultOf = (stdout: string): string => {
  const { messages } = JSON.parse(stdout) as {
    messages: { parts: { type: string; content?: { text: string }[] }[] }[];
  };
  return messages
    .at(-1)!
    .parts[0]!.content!.map(({ text }) => text)
    .join('\n');
};
const ledger = () => {
  const folder = `${home.state}/usage`;
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(`${folder}/${file}`, 'utf8').split('\n').slice(0, -1),
  );
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

test('a server without sampling: true asks no model', async () => {
  const { stdout } = await think('none');
  expect(resultOf(stdout)).toMatch(/^refused: -32601 /);
});

test('one with it asks its route, in its own name', async () => {
  const { stdout, stderr } = await think('asks', {
    words: [script([{ tell: 'request' }])],
    systemPrompt: 'be brief',
    temperature: 0.5,
    stopSequences: ['END'],
    includeContext: 'allServers',
  });
  expect(JSON.parse(resultOf(stdout))).toEqual({
    stream: true,
    model: 'p-1',
    extra: {},
    messages: [
      { role: 'system', parts: [{ type: 'text', text: 'be brief' }] },
      { role: 'user', parts: [{ type: 'text', text: script([{ tell: 'request' }]) }] },
    ],
    maxTokens: 50,
    temperature: 0.5,
    stop: ['END'],
  });
  const pid = Number(/process (\d+)/.exec(stderr)![1]);
  await until(() => ledger().some(({ server }) => server === 'asks'));
  expect(ledger().find(({ server }) => server === 'asks')).toMatchObject({
    ...{ source: 'server', server: 'asks', provider: 'paid', route: 'smart', costUsd: 1.1, ok: true },
  });
  const { stdout: trace } = await home.run('trace', String(pid));
  expect(trace).toContain('asks: it asked smart: 100 and 10 tokens');
});

test('what it may spend is its own budget', async () => {
  const { stdout } = await think('poor', { words: ['one', 'two'] });
  expect(resultOf(stdout)).toMatch(
    /^Hello\nrefused: -1 .*the budget of 0.5 USD for this day is spent \(sampling_budget_usd.day of server "poor"\)$/,
  );
  expect(resultOf((await think('asks')).stdout)).toBe('Hello');
});

test('the model gets no tools, and what a backend says stays here', async () => {
  const { stdout } = await think('asks', {
    words: [script([say('never')]), script([{ fail: ['upstream', 'the secret is 42'] }])],
    temperature: 0,
  });
  expect(resultOf(stdout)).toMatch(/^never\nrefused: -1 .*the model has failed \(upstream\)$/);
});

test('a process three deep, and one of a client of the gateway, ask nothing by their servers', async () => {
  const deep = await think('asks', {}, { DRIVEBAY_DEPTH: '2' });
  expect(resultOf(deep.stdout)).toMatch(/^refused: -1 .*\(depth 3\): drivebay stops here/);
  const { text } = await home.call('POST', '/v1/processes', {
    ...{ intent: scriptOf('asks', {}), workingDirectory: home.directory, provider: 'main', client: 'editor' },
    project: { workingDirectory: home.directory },
    attach: true,
  });
  expect(text).toContain('a process of a client of the gateway asks no models by its tool servers');
});

test('a route that is not there is a warning, and then nothing is asked', async () => {
  const { stdout, stderr } = await think('lost');
  expect(resultOf(stdout)).toMatch(/^refused: -32601 /);
  expect(stderr).toContain(
    'sampling_route: there is no route and no provider "smrt", so tool server "lost" may ask no model',
  );
});

test('a route that a reload has changed is asked as it is then', async () => {
  home.configure(PROVIDERS.replace('targets: [paid]', 'targets: [main]'));
  expect((await home.run('reload')).code).toBe(0);
  expect(resultOf((await think('asks', { words: [script([say('by main')])] })).stdout)).toBe('by main');
  await until(() => ledger().some(({ server, provider }) => server === 'asks' && provider === 'main'));
});

test('before it is trusted, a project says what its servers may ask', async () => {
  home.write('project/.drivebay/mcp.json', mcpJson({ mine: { command: 'run-it', ...sampling } }));
  const { stdout } = await home.runIn(`${home.directory}/project`, ['trust']);
  expect(stdout).toContain('tool server "mine" may run: run-it, and ask smart for up to 100 USD a day');
});
