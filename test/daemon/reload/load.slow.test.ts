import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { localProcesses } from '../../../core/subprocess/local-processes';
import { DaemonHome } from '../../setup/daemon-home';
import { RunningGateway } from '../../setup/running-gateway';
import { type Asked, SteadyLoad } from '../../setup/steady-load';
import { completion, delta, DONE, finish, json, sse, Upstream, usageChunk } from '../../setup/upstream';
import { gated, GATED_OPTIONS } from './gated-driver';
import { type Held, heldBy, PROBE } from './probe-driver';

const EARLY = 50;
const RELOADS = 500;
/** The daemon keeps the latest 10,000 events, two for each request. They must not be what grows. */
const WARM_UP = 5_500;
const PIECES = Array.from({ length: 10 }, (_, index) => delta(`#${index} `));
const CLI = resolve(__dirname, '../../bench/fake-cli.sh');

// 25 s on a machine of its own; it took 230 s on one that ten others shared.
jest.setTimeout(900_000);

const home = new DaemonHome();
let upstream: Upstream;
let gateway: RunningGateway;
let pid: number;
/** Until then the backend answers at once. */
let isWarm = false;

beforeAll(async () => {
  upstream = await Upstream.start();
  upstream.answer(({ body: { stream } }) =>
    stream
      ? sse([...PIECES.flatMap((piece) => [piece, isWarm ? 200 : 0]), finish(), usageChunk(3, 2), DONE])
      : json(completion('Hi'), { headDelayMs: isWarm ? 1_500 : 0 }),
  );
  home.plugin('probe', { code: PROBE });
  configure(0);
  home.write('work/.drivebay/placeholder', '');
  pid = await home.start();
  gateway = await RunningGateway.start([], { env: home.environment(), cwd: `${home.directory}/work` });
});

afterAll(async () => {
  await gateway.stop('SIGKILL');
  await upstream.close();
});

test('500 reloads under 200 requests at once fail none of them, and leave no memory, file, socket or process', async () => {
  const load = new SteadyLoad(gateway.port, clients());
  load.start();
  await load.until((answers) => answers >= WARM_UP);
  isWarm = true;
  await reload(1, EARLY);
  await load.pause();
  const early = await atRest();
  load.start();
  await reload(EARLY + 1, RELOADS);
  await load.pause();
  const late = await atRest();
  expect(load.faults).toEqual([]);
  // All of them were asked, also while they were there and while they were not.
  expect([...load.answered.keys()].sort()).toEqual([
    ...['agent:m 200', 'changed 200', 'code:m 200', 'kept 200', 'now-and-then 200', 'now-and-then 404', 'smart 200'],
  ]);
  expect(late.open).toBe(early.open);
  expect(late.memory / early.memory).toBeLessThan(1.05);
});

/** What the daemon holds when its connections are closed, its programs have ended and its files are written. */
async function atRest(): Promise<Held> {
  for (let before: Held | undefined; ; await pause(200)) {
    upstream.dropIdle();
    const programs = (await localProcesses().table!.read()).filter(({ parent }) => parent === pid);
    if (upstream.openConnections > 0 || programs.length > 0) continue;
    // The ledger is open while it is written.
    const held = await heldBy(gateway);
    if (held.open === before?.open) return held;
    before = held;
  }
}

async function reload(first: number, last: number): Promise<void> {
  for (let count = first; count <= last; count += 1) {
    configure(count);
    const { status, text } = await home.call('POST', '/v1/reload');
    if (status !== 200) throw new Error(text);
  }
}

/** Most of it stays the same; a part is another one with each reload, with each fifth, and with each tenth. */
function configure(count: number): void {
  const base = `driver: chat-compat, base_url: '${upstream.url}/v1', default_model: m`;
  const isThere = count % 2 === 0;
  if (count % 10 === 0) home.plugin('gated', { code: gated(`code${count}`), manifest: GATED_OPTIONS });
  const providers = [
    'name: probe, driver: probe',
    `name: kept, ${base}`,
    `name: changed, ${base}, timeout_sec: ${60 + count}`,
    'name: code, driver: gated',
    `name: agent, driver: claude-code, command: ${CLI}, timeout_sec: ${60 + Math.floor(count / 5)}, grace_sec: 1`,
    ...(isThere ? [`name: now-and-then, ${base}`] : []),
  ];
  const targets = [...(isThere ? ['now-and-then'] : []), 'changed', 'kept'];
  home.configure(
    `version: "1"\nproviders:\n${providers.map((entry) => `  - { ${entry} }\n`).join('')}` +
      `routes:\n  - { name: smart, targets: [${targets.join(', ')}] }\n`,
  );
}

function clients(): Asked[] {
  const many = (count: number, client: Asked) => Array<Asked>(count).fill(client);
  return [
    ...['kept', 'changed', 'smart'].flatMap((model) => [
      ...many(30, chat(model, [200])),
      ...many(25, chat(model, [200], { stream: true })),
    ]),
    ...many(25, { ...chat('now-and-then', [200, 404]), restMs: 500 }),
    ...many(8, { ...chat('code:m', [200]), restMs: 100 }),
    ...many(2, { ...chat('agent:m', [200]), restMs: 1_000 }),
  ];
}

function chat(model: string, statuses: number[], more = {}): Asked {
  const messages = [{ role: 'user', content: 'Hello' }];
  const isStream = 'stream' in more;
  return {
    path: '/v1/chat/completions',
    body: { model, messages, ...more },
    isWhole: (status, text) => statuses.includes(status) && (!isStream || text.endsWith(DONE)),
  };
}
