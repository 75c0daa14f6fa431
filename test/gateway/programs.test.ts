import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { until } from '../setup/until';
import { isAlive } from '../subprocess/open-programs';

let home: TempHome;
let running: RunningGateway[];

beforeEach(() => {
  home = new TempHome();
  running = [];
  // Answers with the environment and the pid of what the program left running, in a session of its own.
  home.plugin('runner', {
    manifest: { kind: 'cli', options: { api_key_env: { default: 'RUNNER_KEY' }, grace_sec: {} } },
    code: `module.exports = (context) => ({
      async *chat(request, call) {
        const script = 'const c = require("child_process").spawn("sleep", ["60"], { detached: true, stdio: "ignore" });' +
          'console.log(JSON.stringify({ left: c.pid, pid: process.pid, env: process.env })); setInterval(() => {}, 1000)';
        const command = await context.resolveBinary('node');
        const program = await context.spawn(command, ['-e', script], { signal: call.signal });
        for await (const line of program.lines()) {
          yield { type: 'text', text: line };
          yield { type: 'finish', reason: 'stop' };
          if (request.model !== 'stay') return;
        }
      },
      async check() {},
    });`,
  });
  home.configure(`version: "1"
providers:
  - { name: one, driver: runner, default_model: m, grace_sec: 1 }
  - { name: two, driver: runner, default_model: m, api_key_env: TWO_KEY }
`);
});

afterEach(async () => {
  await Promise.all(running.map((gateway) => gateway.stop()));
  home.remove();
});

async function start(words: string[] = [], more: Record<string, string> = {}): Promise<RunningGateway> {
  const gateway = await RunningGateway.start(words, { env: home.environment(more) });
  running.push(gateway);
  return gateway;
}

interface Said {
  pid: number;
  left: number;
  env: Record<string, string>;
}

async function ask(gateway: RunningGateway, model: string, headers: Record<string, string> = {}): Promise<Said> {
  const answer = (await (await gateway.chat({ model }, { headers })).json()) as {
    choices: { message: { content: string } }[];
  };
  return JSON.parse(answer.choices[0]?.message.content ?? '') as Said;
}

test('no program gets the variable with the key of a client', async () => {
  home.configure(`version: "1"
providers:
  - { name: one, driver: runner, default_model: m, grace_sec: 1 }
clients:
  - { name: editor, api_key_env: EDITOR_KEY }
`);
  const gateway = await start([], { EDITOR_KEY: 'key-of-the-editor', OTHER: 'seen' });
  const { env } = await ask(gateway, 'one', { authorization: 'Bearer key-of-the-editor' });
  expect([env.EDITOR_KEY, env.OTHER]).toEqual([undefined, 'seen']);
});

const alive = ({ pid, left }: Said) => [pid, left].filter(isAlive);

test('a program sees its own provider’s key, and no other key or variable of ours', async () => {
  const keys = { RUNNER_KEY: 'runner-secret', TWO_KEY: 'two-secret', INBOUND: 'inbound-secret', DRIVEBAY_ENV: 'test' };
  const gateway = await start(['--api-key-env', 'INBOUND'], keys);
  const inbound = { authorization: 'Bearer inbound-secret' };
  const ours = ({ env }: Said) => Object.keys(env).filter((name) => /_KEY$|^INBOUND$|^DRIVEBAY_/.test(name));
  expect(ours(await ask(gateway, 'one', inbound)).sort()).toEqual(['DRIVEBAY_DEPTH', 'DRIVEBAY_RUN_ID', 'RUNNER_KEY']);
  expect(ours(await ask(gateway, 'two', inbound)).sort()).toEqual(['DRIVEBAY_DEPTH', 'DRIVEBAY_RUN_ID', 'TWO_KEY']);
});

test('ending the gateway ends its programs first', async () => {
  const gateway = await start();
  const said = await ask(gateway, 'one:stay');
  expect(await gateway.stop()).toBe(0);
  expect(alive(said)).toEqual([]);
});

test('a second signal does not leave them behind', async () => {
  const gateway = await start();
  const said = await ask(gateway, 'one:stay');
  gateway.child.kill('SIGTERM');
  gateway.child.kill('SIGINT');
  await gateway.stop();
  // The gateway does not wait for the end of what it has killed.
  await until(() => alive(said).length === 0);
});

test('what a killed gateway left is ended by the next one, which leaves those of others alone', async () => {
  // With a state folder of its own it is a daemon of its own, not a listener of the first one.
  const other = await start([], { XDG_STATE_HOME: `${home.directory}/other-state` });
  const crashed = await start();
  const [leftover, busy] = [await ask(crashed, 'one:stay'), await ask(other, 'one:stay')];
  expect(alive(leftover)).toEqual([leftover.pid, leftover.left]);
  await crashed.stop('SIGKILL');
  // Any daemon of the user does it, also one that another test starts at this moment: neither what is left now nor the log of
  // this one is looked at.
  await start();
  await until(() => alive(leftover).length === 0);
  expect(alive(busy)).toEqual([busy.pid, busy.left]);
});
