import { installAgents, script, use } from '../agents/scripted-agent';
import { DaemonHome } from '../setup/daemon-home';
import { isRunning, mcpJson, signs, toolServer } from '../setup/tool-servers';
import { until } from '../setup/until';

/** Those of test/fixtures/mcp/tools.cjs. */
const TOOLS = 16;

test('a running daemon uses the servers of a project once it is trusted, and a crash of it leaves none', async () => {
  const home = new DaemonHome();
  installAgents(home);
  home.configure(
    'version: "1"\ndefault_provider: main\nproviders: [{ name: main, driver: talker, default_model: m }]\n',
  );
  home.write('project/.drivebay/mcp.json', mcpJson({ box: toolServer(home.directory) }));
  const project = `${home.directory}/project`;
  const run = (...words: string[]) => home.runIn(project, words);
  const count = script([use('mcp_box_count', {})], [{ tell: 'request' }]);

  const before = await run('run', count);
  expect(before.stderr).toContain('tool server "box" of this project is not used: its file is not trusted yet');
  expect(before.stdout).toContain('there is no tool \\"mcp_box_count\\"');
  expect(signs(home.directory, 'starts')).toEqual([]);

  expect((await run('trust')).code).toBe(0);
  const after = await run('run', count);
  expect([after.code, after.stderr]).toEqual([0, 'process 2: main, m\n']);
  expect(after.stdout).toContain('"content":[{"type":"text","text":"1"}]');
  expect((await run('trace', '2')).stdout).toMatch(/tool +call_1 \/dev\/mcp\/box\/count \{\}/);

  const waits = run('run', script([use('mcp_box_child', {})], [use('mcp_box_wait', {})]));
  await until(() => signs(home.directory, 'waiting').length > 0);
  const { stdout: listed } = await run('mcp', 'list', '--json');
  expect(JSON.parse(listed)).toMatchObject({
    servers: [{ name: 'box', state: 'configured', now: { running: 1, users: 1, tools: TOOLS, fault: null } }],
  });
  expect((await run('mcp', 'list')).stdout).toContain(`running, ${TOOLS} tools, 1 in use`);
  process.kill(await home.start(), 'SIGKILL');
  await waits;
  await home.start();
  const all = [...signs(home.directory, 'starts'), ...signs(home.directory, 'child')];
  expect(all).toHaveLength(3);
  await until(() => !all.some(isRunning));
});

test('what is wrong with a server is told after the process that met it, until it has started again', async () => {
  const home = new DaemonHome();
  installAgents(home);
  home.configure('version: "1"\nproviders: [{ name: main, driver: talker, default_model: m }]\n');
  const code = `require('fs').existsSync(${JSON.stringify(`${home.directory}/mended`)}) ? require(process.argv[1]) : process.exit(3)`;
  const { args } = toolServer(home.directory);
  home.write('.config/drivebay/mcp.json', mcpJson({ box: { command: process.execPath, args: ['-e', code, ...args] } }));
  const now = async () => {
    const { stdout } = await home.run('mcp', 'list', '--json');
    return (JSON.parse(stdout) as { servers: { now: unknown }[] }).servers[0]!.now;
  };
  const count = script([use('mcp_box_count', {})], [{ tell: 'request' }]);

  expect(await now()).toBeNull();
  await home.start();
  await home.run('run', count);
  expect(await now()).toEqual({ running: 0, users: 0, tools: null, fault: expect.stringContaining('3') });
  home.write('mended', '');
  await home.run('run', count);
  expect(await now()).toEqual({ running: 0, users: 0, tools: TOOLS, fault: null });
});
