import { execFileSync } from 'node:child_process';
import { RunningGateway } from '../../setup/running-gateway';
import { tempHome } from '../../setup/temp-home';
import { installScripted } from '../../gateway/scripted-driver';

// A thread that opens a pipe without a writer waits in the kernel, as one does whose disk does not answer. The daemon opens
// every file of its own so that a pipe does not hold it, so the preloaded code opens the pipe in place of the ledger.
const HANG = `const files = require('node:fs/promises');
const open = files.open;
files.open = (path, ...rest) => (/\\d{4}-\\d{2}[.]ndjson$/.test(path) ? open(process.env.PIPE, 'r') : open(path, ...rest));`;

const home = tempHome();
const pipe = `${home.directory}/pipe`;
const started: RunningGateway[] = [];

beforeAll(() => {
  execFileSync('mkfifo', [pipe]);
  home.write('hang.cjs', HANG);
  installScripted(home);
  home.configure('version: "1"\nproviders:\n  - { name: main, driver: scripted, default_model: m }\n');
});
// A gateway that a failed test leaves must not stay in the kernel for ever.
afterAll(() => started.forEach(({ child }) => child.kill('SIGKILL')));

async function startHung(): Promise<RunningGateway> {
  const env = home.environment({ NODE_OPTIONS: `--require ${home.directory}/hang.cjs`, PIPE: pipe });
  const gateway = await RunningGateway.start([], { env });
  started.push(gateway);
  expect((await gateway.chat({ model: 'main' })).status).toBe(200);
  return gateway;
}

test('a daemon whose disk does not answer ends within its 30 s, and daemon stop with it', async () => {
  const gateway = await startHung();
  const began = performance.now();
  const { code, stdout } = await home.run('daemon', 'stop');
  await gateway.untilOutput(/something does not end within 30 s, such as a disk/);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/ended|stopped/)]);
  expect(performance.now() - began).toBeLessThan(45_000);
  expect(await gateway.stop()).toBeNull();
});

test('a third signal ends it at once', async () => {
  const gateway = await startHung();
  const ended = gateway.stop('SIGINT');
  await gateway.untilOutput(/a second signal ends at once/);
  // Two signals that come at the same moment are one. The number of those that were taken shows nowhere.
  const asking = setInterval(() => gateway.child.kill('SIGINT'), 200);
  const code = await ended.finally(() => clearInterval(asking));
  expect(code).toBeNull();
});
