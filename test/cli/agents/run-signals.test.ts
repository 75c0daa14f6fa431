import { once } from 'node:events';
import { type Action, say, script } from '../../agents/scripted-agent';
import { AgentHome } from '../../setup/agent-home';
import { isAlive } from '../../setup/daemon-home';
import type { LiveCli } from '../../setup/live-cli';
import { until } from '../../setup/until';

const home = new AgentHome();

/** A driver with more to say than a pipe takes, and no end. */
const FLOOD = `module.exports = () => ({
  async *chat(request, call) {
    for (let count = 0; count < 100; count += 1) yield { type: 'text', text: 'x'.repeat(40_000) };
    await new Promise((_, reject) => call.signal.addEventListener('abort', () => reject(call.signal.reason)));
  },
  async check() {},
});`;

/** A run whose program has started another one, and holds on: the second is detached, the first ignores SIGTERM. */
async function startTree(more: Action = {}): Promise<{ cli: LiveCli; pids: number[]; process: number }> {
  const cli = home.live('--no-stdin', script([{ program: true, ...more }]));
  await cli.until(/\d+ \d+/);
  const pids = cli.stdout.trim().split(/\s+/).map(Number);
  await cli.until(/process \d+:/);
  return { cli, pids, process: Number(/process (\d+)/.exec(cli.stderr)![1]) };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends the whole tree before the command ends, with exit code %d', async (signal, code) => {
  const { cli, pids, process } = await startTree();
  expect(pids.map(isAlive)).toEqual([true, true]);
  expect((await cli.signal(signal).end()).code).toBe(code);
  expect(pids.map(isAlive)).toEqual([false, false]);
  expect(await home.process(process)).toMatchObject({ state: 'killed', end: { reason: 'killed' } });
});

test('a second Ctrl-C ends the command at once, and the daemon does the rest', async () => {
  // The grace time is longer than this test.
  const { cli, pids, process: pid } = await startTree({ graceMs: 120_000 });
  const [polite, stubborn] = pids as [number, number];
  cli.signal('SIGINT');
  await until(() => !isAlive(polite));
  expect((await cli.signal('SIGINT').end()).code).toBe(130);
  expect(isAlive(stubborn)).toBe(true);
  process.kill(stubborn, 'SIGKILL');
  expect((await home.run('wait', String(pid))).stderr).toContain(`process ${pid} was killed`);
});

test('a client that is killed takes its process along', async () => {
  const { cli, pids, process: pid } = await startTree();
  await cli.signal('SIGKILL').end();
  expect((await home.run('wait', String(pid))).stderr).toContain('the command that started it is gone');
  expect(pids.map(isAlive)).toEqual([false, false]);
});

test('a reader that leaves ends the run, quietly', async () => {
  const many = Array.from({ length: 2_000 }, () => say('a line of an answer\n'));
  const cli = home.live('--no-stdin', script([...many, { hang: true }]));
  await cli.until(/a line/);
  cli.child.stdout!.destroy();
  const { code, stderr } = await cli.end();
  expect(stderr).toMatch(/^process \d+: main, m-1\n$/);
  expect(code).toBe(0);
  const pid = Number(/\d+/.exec(stderr)![0]);
  expect(await home.process(pid)).toMatchObject({ state: 'killed' });
});

test('Ctrl-C does not wait for a reader that does not read', async () => {
  const own = new AgentHome();
  own.plugin('flood', { code: FLOOD });
  own.configure('version: "1"\ndefault_provider: p\nproviders:\n  - { name: p, driver: flood, default_model: m }\n');
  const cli = own.live('--no-stdin', 'say much');
  await cli.until(/x/);
  cli.child.stdout!.pause();
  await cli.until(/process \d+/);
  cli.signal('SIGINT');
  expect(await once(cli.child, 'exit')).toEqual([130, null]);
  cli.child.stdout!.resume();
  await cli.end();
});

test('a process that another command kills is a failure, not a Ctrl-C', async () => {
  const cli = home.live('--no-stdin', script([say('working\n'), { hang: true }]));
  await cli.until(/working\n/);
  const pid = /process (\d+)/.exec(cli.stderr)![1]!;
  await home.run('kill', pid);
  const { code, stderr } = await cli.end();
  expect(code).toBe(1);
  expect(stderr).toContain(`error: process ${pid} was killed: Ctrl-C, a command or the dashboard ended it\n`);
});
