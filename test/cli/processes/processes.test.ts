import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DaemonHome, isAlive } from '../../setup/daemon-home';
import { HEALTHY } from '../../setup/driver-code';
import { until } from '../../setup/until';

const home = new DaemonHome();
const workingDirectory = home.directory;
const project = { workingDirectory };

/** Starts a program that forks another, tells both pids, and answers when it is let. */
const PROGRAM = `const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { detached: true, stdio: 'ignore' });
  require('node:fs').writeFileSync(process.argv[2], process.pid + ' ' + child.pid);
  setInterval(() => 0, 1000);`;

beforeAll(async () => {
  home.plugin('answering', {
    code: `module.exports = ({ log }) => ({ ...${HEALTHY}, async *chat(request, call) {
      call.trace('answering.look', { found: 'all' });
      yield { type: 'reasoning', text: 'thinking' };
      yield { type: 'text', text: 'the answer' };
      yield { type: 'usage', inputTokens: 1000, outputTokens: 50, cachedInputTokens: 250, costUsd: 0.25 };
      yield { type: 'finish', reason: 'stop' };
    } });`,
  });
  const program = home.write('program.js', PROGRAM);
  home.plugin('working', {
    code: `module.exports = ({ spawn }) => ({ ...${HEALTHY}, async *chat(request, call) {
      yield { type: 'text', text: 'working ' };
      const program = await spawn(process.execPath, [${JSON.stringify(program)}, '${home.directory}/pids'], { signal: call.signal });
      for await (const line of program.lines()) yield { type: 'text', text: line };
    }, async metadata() { return { resolved_bin: '/bin/working' }; } });`,
    manifest: { kind: 'cli', options: { grace_sec: {} } },
  });
  home.configure(`version: "1"
default_provider: a
providers:
  - { name: a, driver: answering, default_model: m-1, cost_per_token: 0.0001 }
  - { name: w, driver: working, default_model: m-2, grace_sec: 1 }
`);
  await home.start();
});

async function spawn(intent: string, more: object = {}): Promise<string> {
  const { text } = await home.call('POST', '/v1/processes', { intent, workingDirectory, project, ...more });
  return String((JSON.parse(text) as { pid: number }).pid);
}

/** The two programs of a process, once they run. */
async function programs(): Promise<number[]> {
  for (;;) {
    const text = readdirSync(home.directory).includes('pids') ? readFileSync(`${home.directory}/pids`, 'utf8') : '';
    if (/^\d+ \d+$/.test(text)) return text.split(' ').map(Number);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('a finished process: ps, wait, trace, logs, usage, with the cost that the backend told', async () => {
  const pid = await spawn('find   the answer\nplease');
  expect(await home.run('wait', pid)).toEqual({ code: 0, stdout: '', stderr: '' });
  const all = await home.run('ps', '-a');
  expect(all.stdout).toMatch(/^PID +State +Provider +Model +Steps +Tokens +Cost +Time +Name +Intent\n/);
  expect(all.stdout).toMatch(
    new RegExp(`^${pid} +done +a +m-1 +1 +1,050 +\\$0\\.25 +\\S+ +- +find the answer please$`, 'm'),
  );
  expect(await home.run('ps')).toMatchObject({ code: 0, stderr: expect.stringContaining('drivebay ps -a') as string });
  const { stdout } = await home.run('trace', pid);
  expect(stdout).toMatch(/resolve +provider a \(answering; by default_provider\), model m-1 \(by default_model\)/);
  expect(stdout).toMatch(/driver +answering\.look \{"found":"all"\}/);
  expect(stdout).toMatch(/^1 +a +m-1 +\S+ +1,000 +50 +250 +25% +\$0\.25 +stop$/m);
  expect(JSON.parse((await home.run('trace', pid, '--json')).stdout)).toMatchObject({
    state: 'done',
    costUsd: 0.25,
    steps: [{ hitRate: 0.25, costUsd: 0.25 }],
    events: expect.arrayContaining([expect.objectContaining({ type: 'text', text: 'the answer' })]) as unknown,
  });
  expect((await home.run('logs', pid)).stdout).toMatch(/ info {2}answering\.look \{"found":"all"\}\n$/);
  expect((await home.run('usage')).stdout).toMatch(/^a +1 +0 +1,000 +250 +50 +\$0\.25$/m);
  expect(JSON.parse((await home.run('usage', '--by', 'project', '--json')).stdout)).toMatchObject({
    usage: [{ key: null, turns: 1 }],
  });
});

test('kill ends a process with every program of it, and says what became of it', async () => {
  const pid = await spawn('work', { provider: 'w' });
  const following = home.run('trace', pid, '-f');
  const started = await programs();
  expect((await home.run('ps')).stdout).toMatch(new RegExp(`^${pid} +running +w +m-2 `, 'm'));
  expect(await home.run('kill', pid)).toEqual({ code: 0, stdout: `process ${pid} is killed\n`, stderr: '' });
  expect(started.filter(isAlive)).toEqual([]);
  expect((await following).stdout).toMatch(/exit +killed: Ctrl-C, a command or the dashboard ended it/);
  expect(await home.run('wait', pid)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^process \d+ was killed/) as string,
  });
  expect(await home.run('kill', pid)).toMatchObject({
    code: 1,
    stderr: `error: process ${pid} has ended already (killed)\n`,
  });
  const { stdout } = await home.run('trace', pid);
  expect(stdout).toContain('resolved_bin: /bin/working');
});

test('a process that does not exist is named, with what to type', async () => {
  const stderr = 'error: there is no process 99\n  see: drivebay ps -a\n';
  for (const command of ['trace', 'kill', 'wait', 'logs']) {
    expect(await home.run(command, '99')).toEqual({ code: 1, stdout: '', stderr });
  }
});

test('a process whose record was never written is named, with what keeps records from being written', async () => {
  const pid = await spawn('forget it', { provider: 'a' });
  await home.run('wait', pid);
  const record = `${home.state}/processes/${pid}.ndjson`;
  // Its last lines may be on their way.
  await until(() => readFileSync(record, 'utf8').includes('"type":"exit"'));
  writeFileSync(record, '');
  expect(await home.run('trace', pid)).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: there is no record of process ${pid}\n  records are kept for 30 days, and up to 200 MB, and a full disk takes none: drivebay doctor\n`,
  });
});

test('devices lists what agents can use', async () => {
  const { stdout } = await home.run('devices');
  expect(stdout).toMatch(/^\/dev\/llm\/a +answering +http +m-1$/m);
  const { devices } = JSON.parse((await home.run('devices', '--json')).stdout) as { devices: object[] };
  expect(devices[0]).toMatchObject({ path: '/dev/llm/a', schema: { parameters: { type: 'object' } } });
});

test('kill -9 of the daemon: the record says so without one, and the next daemon leaves no program of it', async () => {
  home.write('pids', '');
  const pid = await spawn('work', { provider: 'w' });
  const started = await programs();
  const { pid: daemon } = JSON.parse((await home.call('GET', '/v1/daemon')).text) as { pid: number };
  process.kill(daemon, 'SIGKILL');
  while (isAlive(daemon)) await new Promise((resolve) => setTimeout(resolve, 5));
  const { stdout, stderr } = await home.run('ps', '-a');
  expect(stdout).toMatch(new RegExp(`^${pid} +failed `, 'm'));
  // The daemon of another test may end them before.
  const left = started.filter(isAlive);
  const warning =
    /^warning: \d+ programs? of agents whose daemon was killed still runs? \(pid [\d, ]+\); .*daemon start\n$/;
  expect(stderr).toMatch(left.length > 0 ? warning : /^/);
  for (const each of left) expect(stderr).toMatch(new RegExp(`\\b${each}\\b`));
  expect((await home.run('trace', pid)).stdout).toContain('the daemon that ran it was killed or crashed');
  expect((await home.run('logs', pid)).stdout).toContain('error the daemon that ran it was killed or crashed');
  expect((await home.run('kill', pid)).code).toBe(1);
  // Nothing but these commands has run: none starts a daemon.
  expect((await home.run('daemon', 'status')).code).toBe(1);
  await home.start();
  while (started.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await home.run('ps', '-a')).stderr).toBe('');
  expect((await home.run('wait', pid)).stderr).toContain('the daemon that ran it was killed or crashed');
  const lines = readFileSync(`${home.state}/processes/${pid}.ndjson`, 'utf8').trim().split('\n');
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ type: 'exit', reason: 'daemon_died' });
});
