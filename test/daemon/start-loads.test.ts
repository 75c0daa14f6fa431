import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunningGateway } from '../setup/running-gateway';
import { tempHome } from '../setup/temp-home';

const home = tempHome();
home.providers('name: local, driver: chat-compat, base_url: "http://127.0.0.1:9/v1"');

/** What waits for a mcp.json, or for a client: these few files look whether it is there. */
const WAITING = [
  'core/config/mcp/find-mcp-files.ts',
  'core/daemon/mcp-server/mcp-mount.ts',
  'core/daemon/project/find-servers.ts',
];

test('a gateway that starts without mcp.json reads nothing of the SDK of tool servers', async () => {
  const told = join(home.directory, 'loaded');
  const tell = `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(told)}, Object.keys(require.cache).join('\\n')));`;
  await startAndStop({ NODE_OPTIONS: `--require ${home.write('tell.cjs', tell)}` });
  const names = readFileSync(told, 'utf8')
    .split('\n')
    .flatMap((file) => /\/dist\/(.*)\.js$/.exec(file)?.[1] ?? []);
  expect(names).toEqual(expect.arrayContaining(['cli', 'lib/yaml']));
  expect(names.filter((name) => !/^(cli|lib\/(yaml|zod|undici)|plugins\/[\w-]+\/index)$/.test(name))).toEqual([]);
});

test('it runs no module of ours for tool servers either, before there is a mcp.json', async () => {
  const modules = await modulesOfStart('without');
  expect(modules).toContain('core/daemon/project/project.ts');
  expect(modules.filter(isOfTools)).toEqual(WAITING);

  home.write('.config/drivebay/mcp.json', '{ "mcpServers": { "files": { "command": "true" } } }');
  expect(await modulesOfStart('with')).toContain('core/devices/mcp/mcp-server.ts');
});

const isOfTools = (path: string) => /\/mcp\/|mcp-server|find-servers|read-servers|device-server/.test(path);

/** The modules of the program that a start runs, as V8 counts calls: the bundle makes a function of each. */
async function modulesOfStart(name: string): Promise<string[]> {
  const folder = join(home.directory, name);
  await startAndStop({ NODE_OPTIONS: '', NODE_V8_COVERAGE: folder });
  const scripts = readdirSync(folder).flatMap(
    (file) => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as Coverage).result,
  );
  const called = scripts
    .flatMap(({ functions }) => functions)
    .filter(({ ranges: [whole] }) => whole !== undefined && whole.count > 0);
  return called.flatMap(({ functionName: path }) => (path.startsWith('core/') ? [path] : [])).sort();
}

interface Coverage {
  result: { functions: { functionName: string; ranges: { count: number }[] }[] }[];
}

async function startAndStop(more: Record<string, string>): Promise<void> {
  const gateway = await RunningGateway.start([], { env: home.environment(more), cwd: home.directory });
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  expect(await gateway.stop()).toBe(0);
}
