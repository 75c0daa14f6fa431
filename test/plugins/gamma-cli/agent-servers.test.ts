import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentToolServer } from 'drivebay/plugin';
import { handServers } from '../../../plugins/gamma-cli/agent-servers';
import type { Cli } from '../../../plugins/gamma-cli/cli';
import type { Options } from '../../../plugins/gamma-cli/options';
import type { Changes } from '../../../plugins/_shared/cli/plain-environment';
import { OpenContext } from '../../setup/open-context';
import { newCall } from '../harness';

let open: OpenContext<Options>;
const before = process.env.GEMINI_CLI_HOME;
afterEach(async () => {
  if (before === undefined) delete process.env.GEMINI_CLI_HOME;
  else process.env.GEMINI_CLI_HOME = before;
  await open.close();
});

const web: AgentToolServer = {
  name: 'web',
  reach: { kind: 'address', url: 'http://h/', headers: { A: 'secret' }, type: 'http' },
  timeoutMs: 5,
  only: ['a'],
};
const ENTRY = { httpUrl: 'http://h/', headers: { A: 'secret' }, timeout: 5, trust: true, includeTools: ['a'] };

async function hand(dialect: Cli['dialect'], flags: string[] = [], extra: string[] = [], settings?: string) {
  open = new OpenContext<Options>('gamma-cli', { extra_args: extra, gateway_tools: false } as unknown as Options);
  process.env.GEMINI_CLI_HOME = open.home.directory;
  open.home.write('.gemini/oauth_creds.json', '{}');
  if (settings !== undefined) open.home.write('.gemini/settings.json', settings);
  const env: Changes = {};
  const workspace = { skills: [], first: true, toolServers: () => Promise.resolve([web]) };
  const cli: Cli = { path: '/x', dialect, flags: new Set(flags), isKnown: true };
  const handed = await handServers(open.context, { ...newCall(), log: open.context.log, workspace }, env, cli);
  return { ...handed, home: env.GEMINI_CLI_HOME ?? '', warnings: open.logged.map(({ message }) => message) };
}

test('Gemini CLI gets a home folder that is the user’s own, with the servers in its settings', async () => {
  const usual = '{\n  // mine\n  "ui": { "theme": "a//b" }, /* of me */ "mcpServers": { "old": { "command": "x" } }\n}';
  const { home, release } = await hand('gemini', [], [], usual);
  expect(JSON.parse(readFileSync(join(home, '.gemini/settings.json'), 'utf8'))).toEqual({
    ui: { theme: 'a//b' },
    mcpServers: { old: { command: 'x' }, web: ENTRY },
  });
  const login = join(open.home.directory, '.gemini/oauth_creds.json');
  expect(readlinkSync(join(home, '.gemini/oauth_creds.json'))).toBe(login);
  release();
  expect(readFileSync(login, 'utf8')).toBe('{}');
  expect(() => readFileSync(join(home, '.gemini/settings.json'))).toThrow('ENOENT');
});

test('settings that cannot be read are the program’s to refuse', async () => {
  const { home, warnings } = await hand('gemini', [], [], '{ "ui": ');
  expect(readFileSync(join(home, '.gemini/settings.json'), 'utf8')).toBe('{ "ui": ');
  expect(warnings).toEqual([expect.stringContaining('settings.json cannot be read')]);
});

test('Qwen Code gets a file by its flag', async () => {
  const { serverFile, home } = await hand('qwen', ['--mcp-config']);
  expect(home).toBe('');
  expect(JSON.parse(readFileSync(serverFile!, 'utf8'))).toEqual({ mcpServers: { web: ENTRY } });
});

test.each([
  ['does not know the flag', [], [], 'the program does not know --mcp-config'],
  ['has the flag from the user', ['--mcp-config'], ['--mcp-config=x'], 'extra_args has --mcp-config'],
])('a Qwen Code that %s goes without, with a warning', async (_, flags, extra, reason) => {
  const { serverFile, warnings } = await hand('qwen', flags, extra);
  expect([serverFile, warnings]).toEqual([undefined, [expect.stringContaining(reason)]]);
});
