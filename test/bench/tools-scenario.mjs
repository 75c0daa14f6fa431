import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { buildSync } from 'esbuild';
import { ENVIRONMENT } from './processes.mjs';
import { median } from './results.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const SERVER = join(here, 'tools-server.mjs');

/** The ways to a tool server that `mcp.json` knows: an entry of ours, and the same for the SDK's own client. */
const WAYS = {
  stdio: () => ({
    entry: { command: process.execPath, args: [SERVER] },
    transport: new StdioClientTransport({ command: process.execPath, args: [SERVER], env: ENVIRONMENT }),
  }),
  http: ({ port }) => {
    const url = `http://127.0.0.1:${port}/mcp`;
    return { entry: { url }, transport: new StreamableHTTPClientTransport(new URL(url)) };
  },
};

/** A tool that runs already: the SDK's client alone, and our device, question by question in turn. */
export async function measureTools(targets, plan, results) {
  const makeDevice = loadDevice(targets.makeHome().cwd);
  const remote = await targets.startToolServer();
  await remote.untilHealthy();
  for (const [way, reach] of Object.entries(WAYS)) {
    const { entry, transport } = reach(remote);
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(transport);
    const { device, seat } = makeDevice(entry);
    const { signal } = new AbortController();
    const pairs = {
      List: [() => client.listTools(), () => seat.tools(signal)],
      Call: [
        () => client.callTool({ name: 'echo1', arguments: { word: 'hello' } }),
        () => seat.call('echo1', { word: 'hello' }, signal),
      ],
    };
    for (const [what, [base, gateway]] of Object.entries(pairs)) {
      await times(plan.warmUpToolCalls, base, gateway);
      const [direct, ours] = await times(plan.toolCalls, base, gateway);
      results.add(`tools.${way}${what}`, { base: median(direct), gateway: median(ours) });
    }
    await Promise.all([client.close(), device.close()]);
  }
  await remote.stop();
}

async function times(count, ...works) {
  const all = works.map(() => []);
  for (let at = 0; at < count; at += 1) {
    for (const [index, work] of works.entries()) {
      const started = performance.now();
      await work();
      all[index].push(performance.now() - started);
    }
  }
  return all;
}

/** The device as a project makes it, compiled as the program is. */
function loadDevice(folder) {
  const outfile = join(folder, 'device.cjs');
  const contents = `
    export { Environment } from './core/config/environment';
    export { serverSchema } from './core/config/mcp/mcp-schema';
    export { makeLogger } from './core/contract/make-logger';
    export { Redactor } from './core/contract/redact';
    export { McpServer } from './core/devices/mcp/mcp-server';`;
  const define = { __dirname: JSON.stringify(join(root, 'dist')) };
  const stdin = { contents, resolveDir: root, loader: 'ts' };
  buildSync({ stdin, bundle: true, platform: 'node', format: 'cjs', outfile, define, logLevel: 'silent' });
  const { Environment, serverSchema, makeLogger, Redactor, McpServer } = createRequire(import.meta.url)(outfile);
  const log = makeLogger(() => undefined);
  return (values) => {
    const entry = {
      name: 'bench',
      values: serverSchema.parse(values),
      place: { file: 'mcp.json' },
      isOfProject: false,
    };
    const environment = new Environment({ processEnvironment: ENVIRONMENT });
    const device = new McpServer(entry, { environment, redactor: new Redactor(), log, hidden: new Set() });
    return { device, seat: device.join({ workingDirectory: '/', log }) };
  };
}
