import { readFileSync } from 'node:fs';
import { DaemonHome } from '../setup/daemon-home';
import { cliPath } from '../setup/run-cli';

/** The programs of the drivers ask drivebay again, as an agent with a shell and one with MCP servers may. */
const LOOP = `
const { appendFileSync } = require('node:fs');
module.exports = (context) => ({
  async *chat(request, call) {
    appendFileSync(context.options.log, 'started\\n');
    const program = await context.spawn(process.execPath, ['-e', context.options.code], { signal: call.signal });
    let text = '';
    for await (const line of program.lines()) text += line;
    yield { type: 'text', text };
    yield { type: 'finish', reason: 'stop' };
  },
  async check() {},
});
`;

const BY_SHELL = `
const { status, stdout, stderr } = require('node:child_process').spawnSync(
  process.execPath, [${JSON.stringify(cliPath)}, 'run', '--provider', 'shell', 'go on'], { encoding: 'utf8' });
console.log(process.env.DRIVEBAY_DEPTH, status === 0 ? stdout : stderr);
`;

/** It gives its server a few variables only. */
const BY_MCP = `
const { HOME, PATH } = process.env;
const server = require('node:child_process').spawn(process.execPath, [${JSON.stringify(cliPath)}, 'mcp', 'serve'], { env: { HOME, PATH } });
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
require('node:readline').createInterface({ input: server.stdout }).on('line', (line) => {
  const { id, result } = JSON.parse(line);
  if (id !== 2) return send({ id: 2, method: 'tools/call', params: { name: 'run_agent', arguments: { intent: 'go on', provider: 'mcp' } } });
  console.log(process.env.DRIVEBAY_DEPTH, result.content[0].text);
  server.stdin.end();
});
const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'agent', version: '1' } };
send({ id: 1, method: 'initialize', params });
`;

const home = new DaemonHome();
const log = `${home.directory}/started.log`;

beforeEach(() => {
  home.write('started.log', '');
  const options = { log: { type: 'string' }, code: { type: 'string' } };
  home.plugin('loop', { code: LOOP, manifest: { kind: 'cli', options } });
  const provider = (name: string, code: string) =>
    `name: ${name}, driver: loop, log: ${log}, code: ${JSON.stringify(code)}`;
  home.providers(provider('shell', BY_SHELL), provider('mcp', BY_MCP));
});

test.each(['shell', 'mcp'])('an agent that asks drivebay again by %s is stopped three deep', async (name) => {
  const { stdout } = await home.run('run', '--provider', name, 'go');
  expect(stdout).toMatch(/^1 2 3 /);
  expect(stdout).toContain('this is the agent of an agent of an agent (depth 3): drivebay stops here');
  expect(stdout).toContain('answer without asking drivebay again');
  expect(readFileSync(log, 'utf8')).toBe('started\n'.repeat(3));
});
