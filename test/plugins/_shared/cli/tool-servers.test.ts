import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import type { AgentToolServer } from 'drivebay/plugin';
import type { CliOptions } from '../../../../plugins/_shared/cli/cli-run';
import { handOver } from '../../../../plugins/_shared/cli/tool-servers';
import { OpenContext } from '../../../setup/open-context';
import { newCall } from '../../harness';

let open: OpenContext<CliOptions>;
beforeEach(() => {
  open = new OpenContext<CliOptions>('any', { gateway_tools: false, api_key_env: 'MY_KEY' }, { MY_KEY: 'the-key' });
});
afterEach(() => open.close());

const server = (more: object = {}): AgentToolServer => ({
  name: 'box',
  reach: {
    kind: 'program',
    command: process.execPath,
    args: ['-e', 'console.log(JSON.stringify([process.env, process.cwd(), process.argv.slice(1)]))', "it's $HOME `x`"],
    env: { ODD: 'a \'b\' "c"\n$HOME', OTHER_KEY: 'named' },
    cwd: '/',
    ...more,
  },
  timeoutMs: 1000,
});
const hand = (servers: AgentToolServer[], env = {}) => {
  const workspace = { skills: [], first: true, toolServers: () => Promise.resolve(servers) };
  return handOver(open.context, { ...newCall(), log: open.context.log, workspace }, env);
};

test('a program starts by a script with its own variables, and without the key of the provider', async () => {
  const { servers, folder, release } = await hand([server()], { VENDOR_KEY: 'the-key', NO_COLOR: '1' });
  const { reach } = servers[0]!;
  if (reach.kind !== 'script') throw new Error('no script');
  expect([statSync(folder!).mode & 0o777, statSync(reach.args[0]!).mode & 0o777]).toEqual([0o700, 0o600]);
  const env = { MY_KEY: 'the-key', VENDOR_KEY: 'the-key', OTHER_KEY: 'another', KEPT: 'yes' };
  const text = execFileSync(reach.command, reach.args, { env, encoding: 'utf8' });
  const [seen, cwd, args] = JSON.parse(text) as [Record<string, string>, string, string[]];
  expect(seen).toMatchObject({ ODD: 'a \'b\' "c"\n$HOME', OTHER_KEY: 'named', KEPT: 'yes' });
  expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['MY_KEY']));
  expect(JSON.stringify(seen)).not.toContain('the-key');
  expect([cwd, args]).toEqual(['/', ["it's $HOME `x`"]]);
  release();
  expect(existsSync(folder!)).toBe(false);
});

test('the key of the provider reaches a server that names it', async () => {
  const { servers } = await hand([server({ env: { MY_KEY: 'the-key' } })]);
  const { reach } = servers[0]!;
  if (reach.kind !== 'script') throw new Error('no script');
  const text = execFileSync(reach.command, reach.args, { env: { MY_KEY: 'the-key' }, encoding: 'utf8' });
  expect((JSON.parse(text) as [Record<string, string>])[0].MY_KEY).toBe('the-key');
});

test('a chat, and an agent without servers, write nothing', async () => {
  await handOver(open.context, newCall(), {});
  await hand([]);
  expect(readdirSync(await open.context.scratch())).toEqual([]);
});

test('a variable that no shell can set leaves the server out, with a warning', async () => {
  const { servers } = await hand([server({ env: { 'A-B': 'x' } })]);
  expect(servers).toEqual([]);
  expect(open.logged).toMatchObject([
    { level: 'warn', message: expect.stringContaining('its variable A-B') as string },
  ]);
});
