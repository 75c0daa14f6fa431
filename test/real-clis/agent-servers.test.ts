import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { FakeHttpServer } from 'drivebay/testing';
import { DaemonHome } from '../setup/daemon-home';
import { isRunning, mcpJson, signs, toolServer } from '../setup/tool-servers';
import { codexConfig } from './codex-answers';
import { installedCli } from './installed-cli';
import { processesGone } from './left-processes';
import { deciding } from './scripted-wires';

const KEY = 'key-of-the-provider';
const SECRET = 'secret-of-the-entry';
const TOKEN = 'token-of-the-address';

let upstream: FakeHttpServer;
let web: Server;
/** The headers of what the address was asked. */
let asked: (string | undefined)[];

beforeEach(async () => {
  upstream = await FakeHttpServer.start();
  asked = [];
  web = createServer((request, response) => {
    asked.push(request.headers.authorization);
    const server = new McpServer({ name: 'web', version: '1' });
    const hello = { content: [{ type: 'text' as const, text: 'hello from afar' }] };
    server.registerTool('hello', { description: 'greets' }, () => hello);
    server.registerTool('goodbye', { description: 'leaves' }, () => hello);
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    void server.connect(transport).then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  web.closeAllConnections();
  web.close();
  await upstream.close();
});

const AGENT = 'allowed_tools: [/dev/mcp/box/env, /dev/mcp/box/where, /dev/mcp/web]\n';
const IN_PROJECT = 'project/.drivebay/mcp.json';

function home(): DaemonHome {
  const made = new DaemonHome({
    ...{ ANTHROPIC_BASE_URL: upstream.url, IS_SANDBOX: '1', CLAUDE_CODE_MAX_RETRIES: '0' },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', GOOGLE_GEMINI_BASE_URL: upstream.url },
    ...{
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      LOOPBACK_KEY: KEY,
      MY_KEY: KEY,
      OF_ENTRY_KEY: SECRET,
      WEB_TOKEN: TOKEN,
    },
  });
  const entry = (name: string, more: string) => `  - { name: ${name}, default_model: m-1, ${more} }\n`;
  // A program that is kept would be there when the tests look for what runs leave.
  const cli = (driver: string, program: string, more = 'api_key_env: MY_KEY') =>
    entry(program, `driver: ${driver}, command: "${installedCli(program)}", warm: false, ${more}`);
  made.configure(
    `version: "1"\nproviders:\n${[
      cli('claude-code', 'claude'),
      cli('codex', 'codex', 'api_key_env: LOOPBACK_KEY'),
      cli('gemini-cli', 'gemini'),
      cli('qwen-code', 'qwen'),
      entry('api', `driver: chat-compat, base_url: "${upstream.url}/v1", api_key_env: MY_KEY`),
    ].join('')}`,
  );
  made.write('.gemini/settings.json', JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }));
  made.write('.codex/config.toml', codexConfig(upstream.url));
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`;
  made.write(
    IN_PROJECT,
    mcpJson({
      box: toolServer(made.directory, { env: { OF_ENTRY: "it's ${OF_ENTRY_KEY}" } }),
      web: { url, headers: { Authorization: 'Bearer ${WEB_TOKEN}' } },
    }),
  );
  made.write('project/agent.yaml', AGENT);
  return made;
}

/** What the arguments of every process of the machine say. */
const commandLines = () =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
    } catch {
      return [];
    }
  });

/** A model that uses one tool of each server, and says what it got. */
function plays([env, hello]: readonly [string, string]) {
  const seen = { tools: '', results: '', commandLines: [] as string[] };
  upstream.answer(
    deciding(({ text }) => {
      const hasResults = /"(?:functionResponse|function_call_output|tool_result)"|"role":"tool"/.test(text);
      if (!text.includes('does env')) return { text: 'Hello.' };
      if (!hasResults) {
        seen.tools = text;
        return {
          calls: [
            { name: env, args: {} },
            { name: hello, args: {} },
          ],
        };
      }
      seen.results = text;
      seen.commandLines = commandLines();
      return { text: 'Done.' };
    }),
  );
  return seen;
}

const left = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /(^|\/)tools-\d/.test(name))
    : [];

test.each<[string, [string, string]]>([
  ['claude', ['mcp__box__env', 'mcp__web__hello']],
  ['codex', ['mcp__box__env', 'mcp__web__hello']],
  ['gemini', ['mcp_box_env', 'mcp_web_hello']],
  ['qwen', ['mcp__box__env', 'mcp__web__hello']],
  ['api', ['mcp_box_env', 'mcp_web_hello']],
])('one agent.yaml gives the same tools on %s', async (provider, tools) => {
  const agent = home();
  const project = `${agent.directory}/project`;
  const run = () => agent.runIn(project, ['run', '--provider', provider, 'work']);

  // What is not trusted reaches no program.
  const seen = plays(tools);
  expect((await run()).stderr).toContain('tool server "box" of this project is not used: its file is not trusted yet');
  expect([signs(agent.directory, 'starts'), asked]).toEqual([[], []]);
  expect((await agent.runIn(project, ['trust'])).code).toBe(0);

  const { code, stdout, stderr } = await run();
  expect({ code, stdout: stdout.trim(), stderr }).toEqual({ code: 0, stdout: 'Done.', stderr });
  for (const offered of ['does env', 'does where', 'greets', 'leaves']) expect(seen.tools).toContain(offered);
  for (const kept of ['does echo', 'does crash']) expect(seen.tools).not.toContain(kept);
  expect(seen.results).toContain('hello from afar');
  expect(new Set(asked)).toEqual(new Set([`Bearer ${TOKEN}`]));

  // The server has its own key, and neither that of the provider nor one of another server.
  expect(seen.results).toContain(`it's ${SECRET}`);
  expect(seen.results).not.toContain(KEY);
  expect(seen.results).toContain('IS_SANDBOX');
  expect(seen.results).toContain('DRIVEBAY_RUN_ID');
  for (const secret of [KEY, SECRET, TOKEN]) expect(seen.commandLines.join('\n')).not.toContain(secret);

  await processesGone(agent.directory);
  expect(signs(agent.directory, 'starts').filter(isRunning)).toEqual([]);
  // The daemon takes the files of a run away when its program is gone.
  await agent.end();
  expect(left(`${agent.directory}/.cache`)).toEqual([]);
});

test.each([
  ['claude', 'mcp__drivebay_devices__llm_api'],
  ['codex', 'mcp__drivebay_devices__llm_api'],
  ['gemini', 'mcp_drivebay_devices_llm_api'],
  ['qwen', 'mcp__drivebay_devices__llm_api'],
])('an agent on %s asks another model, where allowed_tools names it', async (provider, tool) => {
  const agent = home();
  const project = `${agent.directory}/project`;
  const asked = { tools: '', results: '', other: '' };
  const ids = { isDone: false };
  upstream.answer(
    deciding(({ text }) => {
      if (text.includes('sum of the secret') && !text.includes('work on it')) {
        asked.other = text;
        return { text: 'fourty-two' };
      }
      if (!text.includes('llm_api')) return { text: 'Hello.' };
      if (!/"(?:functionResponse|function_call_output|tool_result)"|"role":"tool"/.test(text)) {
        asked.tools = text;
        return { calls: [{ name: tool, args: { prompt: 'sum of the secret' } }] };
      }
      asked.results = text;
      ids.isDone = true;
      return { text: 'Done.' };
    }),
  );
  const run = () => agent.runIn(project, ['run', '--provider', provider, 'work on it']);
  agent.write('project/agent.yaml', 'allowed_tools: [/dev/llm/api]\n');
  const { code, stdout, stderr } = await run();
  expect({ code, stdout: stdout.trim(), stderr }).toEqual({ code: 0, stdout: 'Done.', stderr });
  expect(asked.tools).toContain('Asks the language model');
  expect(asked.other).toContain('sum of the secret');
  expect(asked.results).toContain('fourty-two');
  const trace = await agent.runIn(project, ['trace', '1']);
  expect(trace.stdout).toContain('llm_api');

  // Without the list the program has its own tools only.
  agent.write('project/agent.yaml', 'name: plain\n');
  asked.tools = '';
  expect((await run()).stdout.trim()).toBe('Hello.');
  expect(asked.tools).toBe('');
  await processesGone(agent.directory);
  await agent.end();
  expect(left(`${agent.directory}/.cache`)).toEqual([]);
});
