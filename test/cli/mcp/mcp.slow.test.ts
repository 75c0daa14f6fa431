import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tempHome } from '../../setup/temp-home';
import { inTerminal, Terminal } from '../../setup/terminal';
import { hostileServer, isRunning, mcpJson, signs, toolServer } from '../../setup/tool-servers';

const home = tempHome();
const file = `${home.directory}/.config/drivebay/mcp.json`;
const project = `${home.directory}/project`;
const projectFile = `${project}/.drivebay/mcp.json`;
const { command, args } = toolServer(home.directory);
const run = (...words: string[]) => home.runIn(project, ['mcp', ...words]);

beforeAll(() => home.write('project/.drivebay/keep', ''));
afterAll(() => expect(signs(home.directory, 'starts').filter(isRunning)).toEqual([]));

// The tests of this file follow each other, as the commands of a user do.
test('without a server, list says where one would be', async () => {
  const { code, stderr } = await run('list');
  expect([code, stderr]).toEqual([
    0,
    `no tool server is configured in ${file} or ${projectFile}; see: drivebay mcp add --help\n`,
  ]);
});

test('without a server, check prints one line, and says how many wait for trust', async () => {
  const { code, stdout, stderr } = await run('check');
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toMatch(/^no tool server is configured/);
  home.write('project/.drivebay/mcp.json', mcpJson({ theirs: { command, args } }));
  const held = await run('check');
  expect([held.code, held.stdout]).toEqual([0, '']);
  expect(held.stderr).toContain(
    '1 tool server of this project waits for trust; look at the file, then run: drivebay trust',
  );
  expect(held.stderr).not.toContain('no tool server is configured');
  rmSync(projectFile);
});

test('add writes the entry, starts it once, and shows its tools', async () => {
  const words = ['add', 'box', '--env', 'API_TOKEN=${TOKEN:-some-secret-token}', '--', command, ...args];
  const { code, stdout, stderr } = await run(...words);
  expect([code, stderr]).toEqual([
    0,
    `warning: a key now stands in ${file}: variable API_TOKEN\n  better: put it into a variable of your environment, and write '\${NAME}' in its place\n`,
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(stdout).toMatch(new RegExp(`^written: ${file}\\nbox: \\d+ tools in .*\\n  echo  does echo\\n`));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    mcpServers: { box: { command, args, env: { API_TOKEN: '${TOKEN:-some-secret-token}' } } },
  });
  expect(signs(home.directory, 'starts')).toHaveLength(1);
});

test('list shows it, and nothing of its environment', async () => {
  const { stdout } = await run('list');
  expect(stdout).toMatch(/^Server +Kind +State +Target +File\nbox +stdio +configured +/);
  expect(stdout).not.toContain('secret');
  const { servers } = JSON.parse((await run('list', '--json')).stdout);
  expect(servers).toEqual([
    {
      ...{ name: 'box', kind: 'stdio', state: 'configured', now: null },
      ...{ target: [command, ...args].join(' '), file, ofProject: false },
    },
  ]);
  expect((await home.run('devices')).stdout).toMatch(/\n\/dev\/mcp\/box +mcp/);
});

test('check starts every server and ends it; one that fails is the exit code', async () => {
  home.write('.config/drivebay/mcp.json', mcpJson({ box: { command, args }, bad: hostileServer('dies') }));
  const { code, stdout } = await run('check');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^box: \d+ tools in /);
  expect(stdout).toMatch(/\nbad: failed\n {2}.*cannot begin/);
  const { servers } = JSON.parse((await run('check', 'box', '--json')).stdout);
  expect(servers).toMatchObject([{ name: 'box', ok: true, notes: [], hint: null }]);
  expect(servers[0].tools[0]).toMatchObject({ name: 'echo', parameters: { type: 'object' } });
  expect((await run('check', 'bos')).stderr).toContain('there is no tool server "bos"\n  did you mean box?');
});

test('doctor looks at them without a start', async () => {
  home.write('.config/drivebay/mcp.json', mcpJson({ box: { command, args }, no: { command: 'no-such-program' } }));
  const before = signs(home.directory, 'starts').length;
  const { findings } = JSON.parse((await home.run('doctor', '--json')).stdout);
  const found = findings.filter(({ code }: { code: string }) => code === 'tool_server');
  expect(found).toMatchObject([
    { severity: 'ok' },
    { severity: 'broken', message: expect.stringContaining('no-such-program') },
  ]);
  expect(signs(home.directory, 'starts')).toHaveLength(before);
});

test('the servers of a project wait for trust, which shows what they run', async () => {
  home.write('.config/drivebay/mcp.json', mcpJson({}));
  const entry = toolServer(home.directory, { env: { NODE_OPTIONS: '--no-warnings' } });
  home.write(
    'project/.drivebay/mcp.json',
    mcpJson({ theirs: entry, web: { url: 'https://user:pass@example.invalid/mcp?key=abc' } }),
  );
  const before = signs(home.directory, 'starts').length;
  expect((await run('list')).stdout).toMatch(
    /theirs +stdio +waits for drivebay trust.*\nweb +http +.*https:\/\/\.\.\.@example\.invalid\/mcp\?\.\.\. /,
  );
  const { code, stderr } = await run('check', 'theirs');
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('not trusted yet\n  look at the file, then run: drivebay trust'),
  ]);
  expect(signs(home.directory, 'starts')).toHaveLength(before);
  const trusted = await home.runIn(project, ['trust']);
  expect(trusted.stdout).toContain(`tool server "theirs" may run: ${[command, ...args].join(' ')} with NODE_OPTIONS\n`);
  expect(trusted.stdout).toContain('tool server "web" may be asked: https://...@example.invalid/mcp?...\n');
  expect(trusted.stdout).toContain(`trusted: ${projectFile}; a change of the file needs new trust\n`);
  expect((await run('check', 'theirs')).code).toBe(0);
});

test('add to a trusted project keeps the trust; to one that is not, it starts nothing', async () => {
  expect((await run('add', 'more', '--project', '--', command, ...args)).stdout).toContain(
    `written: ${projectFile}\nmore: `,
  );
  home.write('project/.drivebay/mcp.json', mcpJson({ theirs: { command: 'evil' } }));
  const before = signs(home.directory, 'starts').length;
  const { code, stderr } = await run('add', 'mine', '--project', '--', command, ...args);
  expect([code, stderr]).toEqual([0, expect.stringContaining('"mine" of this project is not trusted yet')]);
  expect(signs(home.directory, 'starts')).toHaveLength(before);
});

test('add keeps what does not start, and says how to start it again', async () => {
  const bad = hostileServer('dies');
  const { code, stdout, stderr } = await run('add', 'bad one', '--', bad.command, ...bad.args);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\nbad one: failed\n/)]);
  // It is pasted into a shell.
  expect(stderr).toBe("the entry stays as it is written; to start it again: drivebay mcp check 'bad one'\n");
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).mcpServers)).toContain('bad one');
});

inTerminal('on a terminal add says that it starts the server', async () => {
  const terminal = new Terminal(home, ['mcp', 'add', 'shown', '--', command, ...args]);
  expect(await terminal.end()).toMatchObject({ code: 0 });
  expect(terminal.stdout).toMatch(/starting shown \.\.\.\s+shown: \d+ tools/);
});

test('remove takes an entry away, and leaves the others', async () => {
  const { code, stdout } = await run('remove', 'theirs', '--project');
  expect([code, stdout]).toEqual([0, `written: ${projectFile}\n`]);
  expect(Object.keys(JSON.parse(readFileSync(projectFile, 'utf8')).mcpServers)).toEqual(['mine']);
});

test.each<[string, string[], RegExp]>([
  ['neither a command nor an address', ['add', 'x'], /has a command or a --url/],
  [
    'a name that is taken',
    ['add', 'mine', '--project', '--', 'x'],
    /"mine" already in .*\n {2}to replace it, first: drivebay mcp remove mine --project\n/,
  ],
  ['an unknown server', ['remove', 'mien', '--project'], /did you mean mine\?/],
  ['a root that is missing', ['serve', '--root', '/nonexist'], /--root \/nonexist: there is no such folder/],
  ['a root below a file', ['serve', '--root', `${process.execPath}/x`], /there is no such folder/],
  ['a variable without a value', ['add', 'x', '--env', 'A', '--', 'x'], /expected --env NAME=VALUE/],
  ['what would be a mistake', ['add', 'a/b', '--', 'x'], /would have mistakes\n[^]*found "a\/b"/],
])('%s is an error, and nothing is written', async (_, words, message) => {
  const before = readFileSync(file, 'utf8');
  const { code, stderr } = await run(...words);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('a mistake in the file names its line, in every command that needs the configuration', async () => {
  home.write('.config/drivebay/mcp.json', '{\n  "mcpServers": { "a": { "command": 5 } }\n}\n');
  for (const words of [
    ['mcp', 'list'],
    ['config', 'check'],
  ]) {
    const { code, stderr } = await home.run(...words);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`${file}:2:37: mcpServers.a.command: found the number 5, expected a text`),
    ]);
  }
  expect(existsSync(`${file}.lock`)).toBe(false);
});
