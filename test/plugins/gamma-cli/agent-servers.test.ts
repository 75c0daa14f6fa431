import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { AgentToolServer } from 'drivebay/plugin';
import { handServers } from '../../../plugins/gamma-cli/agent-servers';
import type { Cli } from '../../../plugins/gamma-cli/cli';
import type { Options } from '../../../plugins/gamma-cli/environment';
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

async function hand(
  dialect: Cli['dialect'],
  flags: string[] = [],
  extra: string[] = [],
  settings?: string,
  tmp?: string,
) {
  open = new OpenContext<Options>('gamma-cli', { extra_args: extra, gateway_tools: false } as unknown as Options);
  process.env.GEMINI_CLI_HOME = open.home.directory;
  open.home.write('.gemini/oauth_creds.json', '{}');
  if (settings !== undefined) open.home.write('.gemini/settings.json', settings);
  if (tmp !== undefined) open.home.write('.gemini/tmp', tmp);
  const env: Changes = {};
  const workspace = { skills: [], first: true, toolServers: () => Promise.resolve([web]) };
  const cli: Cli = { path: '/x', dialect, flags: new Set(flags), isKnown: true, reachesTools: true };
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

test('a login that Gemini CLI has renewed or begun in its home is kept, and what others have written since stays', async () => {
  const { home, release } = await hand('gemini');
  const own = (name: string) => join(open.home.directory, '.gemini', name);
  const theirs = (name: string) => join(home, '.gemini', name);
  // By a rename, as programs write what must never be half.
  writeFileSync(theirs('new.tmp'), '{"refreshed":1}', { mode: 0o600 });
  renameSync(theirs('new.tmp'), theirs('oauth_creds.json'));
  writeFileSync(theirs('google_accounts.json'), '{"active":"me"}', { mode: 0o600 });
  mkdirSync(theirs('memory'));
  writeFileSync(theirs('memory/notes.md'), 'kept');
  writeFileSync(theirs('trustedFolders.json'), '{"late":1}');
  open.home.write('.gemini/trustedFolders.json', '{"first":1}');
  release();
  expect(readFileSync(own('oauth_creds.json'), 'utf8')).toBe('{"refreshed":1}');
  expect(readFileSync(own('google_accounts.json'), 'utf8')).toBe('{"active":"me"}');
  expect(statSync(own('google_accounts.json')).mode & 0o777).toBe(0o600);
  expect(readFileSync(own('memory/notes.md'), 'utf8')).toBe('kept');
  expect(readFileSync(own('trustedFolders.json'), 'utf8')).toBe('{"first":1}');
  expect(existsSync(own('settings.json'))).toBe(false);
  expect(readdirSync(join(open.home.directory, '.gemini')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(existsSync(home)).toBe(false);
});

test('a pipe that a program leaves keeps no login back, and no note', async () => {
  const { home, release } = await hand('gemini');
  const theirs = (name: string) => join(home, '.gemini', name);
  mkdirSync(theirs('a-folder'));
  execFileSync('mkfifo', [theirs('a-pipe'), theirs('a-folder/pipe')]);
  writeFileSync(theirs('a-folder/notes.md'), 'kept');
  rmSync(theirs('oauth_creds.json'));
  writeFileSync(theirs('oauth_creds.json'), '{"refreshed":1}');
  release();
  const own = join(open.home.directory, '.gemini');
  expect(readFileSync(join(own, 'oauth_creds.json'), 'utf8')).toBe('{"refreshed":1}');
  expect([existsSync(join(own, 'a-pipe')), readdirSync(join(own, 'a-folder'))]).toEqual([false, ['notes.md']]);
  expect(open.logged).toEqual([]);
});

test('settings that cannot be read are the program’s to refuse', async () => {
  const { home, warnings } = await hand('gemini', [], [], '{ "ui": ');
  expect(readFileSync(join(home, '.gemini/settings.json'), 'utf8')).toBe('{ "ui": ');
  expect(warnings).toEqual([expect.stringContaining('settings.json cannot be read')]);
});

test('where no home folder can be made, nothing is left of the servers', async () => {
  await expect(hand('gemini', [], [], '{}', 'no folder')).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readdirSync(await open.context.scratch())).toEqual([]);
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
