import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { readPage } from './metrics/read-page';
import { HEALTHY } from '../setup/driver-code';
import { DaemonHome, isAlive } from '../setup/daemon-home';
import { freePort, RunningGateway } from '../setup/running-gateway';
import { until } from '../setup/until';

const ANSWERING = `module.exports = () => ({ ...${HEALTHY}, async *chat() {
  yield { type: 'text', text: 'late' };
  yield { type: 'finish', reason: 'stop' };
} });`;

const home = new DaemonHome();
const gateways: RunningGateway[] = [];

async function serve(folder: string, ...words: string[]): Promise<RunningGateway> {
  const gateway = await RunningGateway.start(words, { env: home.environment(), cwd: `${home.directory}/${folder}` });
  gateways.push(gateway);
  return gateway;
}

afterAll(() => Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL'))));

beforeAll(() => {
  // Answers when the file that the last message names is there; says which instance of it does.
  home.plugin('gated', {
    code: `const { existsSync } = require('node:fs');
      module.exports = ({ log, scratch }) => {
        const instance = Math.random().toString(36).slice(2);
        log.warn('made ' + instance);
        return {
          ...${HEALTHY},
          async *chat({ messages }, call) {
            yield { type: 'text', text: instance + ' ' };
            const gate = messages.at(-1).parts.map((part) => part.text).join('');
            if (gate.startsWith('/')) log.info('waiting for ' + gate);
            if (gate.startsWith('/')) await new Promise((resolve, reject) => {
              const timer = setInterval(() => existsSync(gate) && (clearInterval(timer), resolve()), 10);
              call.signal.addEventListener('abort', () => (clearInterval(timer), reject(call.signal.reason)));
            });
            log.info('answered ' + instance);
            yield { type: 'text', text: 'end' };
            yield { type: 'finish', reason: 'stop' };
          },
        };
      };`,
  });
  home.configure('version: "1"\nproviders:\n  - { name: a, driver: gated, max_concurrency: 1 }\n');
  for (const folder of ['one', 'two']) home.write(`${folder}/.drivebay/placeholder`, '');
  home.write('broken/.drivebay/providers.yaml', 'version: "1"\nproviders:\n  - { name: b, driver: gatd }\n');
});

async function answerOf(gateway: RunningGateway, content = 'now'): Promise<string> {
  const response = await gateway.chat({ model: 'a:m', messages: [{ role: 'user', content }] });
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return choices[0]!.message.content;
}

describe('with a daemon in the background', () => {
  let pid: number;
  beforeAll(async () => (pid = await home.start()));

  test('two of one folder share the provider; another folder has its own', async () => {
    const [first, second, other] = await Promise.all([serve('one'), serve('one'), serve('two')]);
    const [a, b, c] = await Promise.all([answerOf(first), answerOf(second), answerOf(other)]);
    expect(a).toBe(b);
    expect(c).not.toBe(a);
    await first.untilOutput(new RegExp(`this is a listener of the daemon \\(pid ${pid}\\)`));
    const { text } = await home.call('GET', '/v1/listeners');
    expect((JSON.parse(text) as { listeners: { port: number }[] }).listeners.map(({ port }) => port).sort()).toEqual(
      [first.port, second.port, other.port].sort(),
    );
    // The lines of its own requests, and of the driver, reach the terminal.
    await first.untilOutput(/info +chat id=\S+ dialect=\S+ provider=a/);
    await first.untilOutput(/info +answered \w+ provider=a/);
    expect(await first.stop('SIGINT')).toBe(130);
    expect(await second.stop('SIGTERM')).toBe(0);
    await expect(fetch(`${first.url}/health`)).rejects.toThrow();
    expect((await other.chat({ model: 'a:m' })).status).toBe(200);
    await other.stop();
  });

  /** A gateway that was asked to end, with a running answer that waits for a file. */
  async function ending(gate: string) {
    const gateway = await serve('one');
    const answer = answerOf(gateway, gate).catch(String);
    await gateway.untilOutput(/waiting for/);
    gateway.child.kill('SIGINT');
    await gateway.untilOutput(/ending: running answers have 10 s/);
    return { gateway, answer, closed: once(gateway.child, 'close') };
  }

  test('Ctrl-C lets a running answer finish', async () => {
    const { answer, closed } = await ending(`${home.directory}/gate-1`);
    home.write('gate-1', '');
    expect(await answer).toMatch(/ end$/);
    expect(await closed).toEqual([130, null]);
  });

  test('a second Ctrl-C ends at once', async () => {
    const { gateway, answer, closed } = await ending('/never');
    gateway.child.kill('SIGINT');
    expect(await closed).toEqual([130, null]);
    expect(await answer).not.toMatch(/ end$/);
  });

  test('kill -9 of the command closes its listener', async () => {
    const gateway = await serve('one');
    await gateway.stop('SIGKILL');
    // A listener that ends takes no connections before it leaves the list.
    await until(async () => (await home.call('GET', '/v1/listeners')).text === '{"listeners":[]}');
    await expect(fetch(`${gateway.url}/health`)).rejects.toThrow();
  });

  test('a broken project configuration fails its own client only', async () => {
    const words = ['serve', '--port', String(await freePort())];
    const { code, stdout, stderr } = await home.runIn(`${home.directory}/broken`, words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/providers\.yaml:3:\d+: .*no plug-in provides driver "gatd"; did you mean gated/);
    expect(isAlive(pid)).toBe(true);
  });

  test('metrics are those of the daemon, on each port that was opened with them', async () => {
    const [plain, measured] = await Promise.all([serve('one'), serve('two', '--metrics')]);
    const before = await readPage(measured.url);
    const labels = { dialect: 'chat-completions', provider: 'a', model: 'm', status: '200' };
    await answerOf(plain);
    await answerOf(measured);
    const after = await readPage(measured.url);
    const count = (page: typeof after) => page.value('drivebay_requests_total', labels);
    expect(count(after) - count(before)).toBe(2);
    expect(after.value('drivebay_provider_limit', { provider: 'a' })).toBeGreaterThanOrEqual(2);
    expect((await fetch(`${plain.url}/metrics`)).status).toBe(404);
    await Promise.all([plain.stop(), measured.stop()]);
  });

  test('a port that is taken is explained as without a daemon', async () => {
    const gateway = await serve('one');
    const { code, stderr } = await home.run('serve', '--port', String(gateway.port));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: port \d+ is taken by another drivebay .*\n {2}use the one that runs at /);
    await gateway.stop();
  });

  test('the inbound key is the one of the command, and does not reach the daemon', async () => {
    const env = home.environment({ INBOUND: 'a-key-of-the-command' });
    const gateway = await RunningGateway.start(['--api-key-env', 'INBOUND'], { env });
    gateways.push(gateway);
    expect((await gateway.chat({ model: 'a:m' })).status).toBe(401);
    const headers = { authorization: 'Bearer a-key-of-the-command' };
    expect((await gateway.chat({ model: 'a:m' }, { headers })).status).toBe(200);
    await gateway.stop();
  });

  test('a plug-in path is that of the terminal, and a change of a plug-in there is told', async () => {
    const folder = home.plugin('late', { code: ANSWERING, folder: 'late' });
    home.write('author/.drivebay/providers.yaml', 'version: "1"\nproviders:\n  - { name: l, driver: late }\n');
    const more = { DRIVEBAY_PLUGIN_PATH: '../late' };
    const cwd = `${home.directory}/author`;
    const gateway = await RunningGateway.start([], { env: home.environment(more), cwd });
    gateways.push(gateway);
    await gateway.untilOutput(new RegExp(`listener of the daemon \\(pid ${pid}\\)`));
    expect((await gateway.chat({ model: 'l:m' })).status).toBe(200);
    const before = await home.runIn(cwd, ['providers', 'status'], more);
    expect([before.code, before.stderr.includes('note:')]).toEqual([0, false]);
    const file = home.write('late/index.js', `${ANSWERING} // changed`);
    expect((await home.runIn(cwd, ['providers', 'status'], more)).stderr).toContain(
      `note: the daemon has read something else in ${file}; run: drivebay reload\n`,
    );
    expect(file).toBe(`${folder}/index.js`);
    // The terminal of the restart need not know the plug-in.
    expect(await home.runIn(cwd, ['daemon', 'restart'])).toMatchObject({ code: 0, stderr: '' });
    await gateway.untilOutput(new RegExp(`daemon restarts[^]*listener of the daemon \\(pid (?!${pid}\\))`));
    expect((await gateway.chat({ model: 'l:m' })).status).toBe(200);
    pid = await home.start();
    await gateway.stop();
    const without = await home.runIn(cwd, ['serve', '--port', String(await freePort())]);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('driver "late"') as string]);
  });

  test('a restart ends nothing where a project of an open gateway, or of its own folder, is broken', async () => {
    const gateway = await serve('one');
    const file = home.write('one/.drivebay/providers.yaml', 'providers: 3\n');
    for (const folder of [home.directory, `${home.directory}/broken`]) {
      const { code, stdout, stderr } = await home.runIn(folder, ['daemon', 'restart']);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^error: the configuration has a problem\n {2}.*providers\.yaml:\d+/);
    }
    rmSync(file);
    expect((await home.runIn(`${home.directory}/broken`, ['daemon', 'start'])).code).toBe(2);
    expect(isAlive(pid)).toBe(true);
    expect(await answerOf(gateway)).toMatch(/ end$/);
    await gateway.stop();
  });

  test('when the daemon is restarted the command opens its gateway on the next one', async () => {
    const gateway = await serve('one');
    await home.run('daemon', 'restart');
    const { pid: next } = JSON.parse((await home.call('GET', '/v1/daemon')).text) as { pid: number };
    expect(next).not.toBe(pid);
    await gateway.untilOutput(new RegExp(`listener of the daemon \\(pid ${next}\\)`));
    expect(await answerOf(gateway)).toMatch(/ end$/);
    expect(await gateway.stop('SIGINT')).toBe(130);
    expect(JSON.parse((await home.call('GET', '/v1/listeners')).text)).toEqual({ listeners: [] });
  });

  test('when the daemon is stopped the command says so, and ends with 1', async () => {
    const gateway = await serve('one');
    const closed = once(gateway.child, 'close');
    await home.run('daemon', 'stop');
    expect(await closed).toEqual([1, null]);
    expect(gateway.stderr).toContain('the daemon has ended; to start again: drivebay serve\n');
  });
});

test('the first serve is the daemon, the second its client; providers status asks it', async () => {
  const [first, second] = await Promise.all([serve('one'), serve('two')]);
  const status = JSON.parse((await home.run('daemon', 'status', '--json')).stdout) as { mode: string; pid: number };
  expect([first.child.pid, second.child.pid]).toContain(status.pid);
  const [daemon, client] = status.pid === first.child.pid ? [first, second] : [second, first];
  expect(status.mode).toBe('serve');
  const told = [first, second].filter(({ stderr }) => stderr.includes('which is another serve: it ends with that one'));
  expect(told).toHaveLength(1);
  await client.untilOutput(new RegExp(`listener of the daemon \\(pid ${daemon.child.pid}\\)`));
  const { code, stdout } = await home.runIn(`${home.directory}/one`, ['providers', 'status']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^a +http +healthy/m) as string]);
  await client.stop();
  expect(await daemon.stop('SIGINT')).toBe(130);
  expect(existsSync(home.socket)).toBe(false);
});
