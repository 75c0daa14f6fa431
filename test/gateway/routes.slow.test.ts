import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, RunningGateway } from '../setup/running-gateway';
import { tempHome } from '../setup/temp-home';
import { completion } from '../setup/upstream';

const REQUESTS = 1_000;
const AT_ONCE = 50;
/** How long a backend thinks: the rest of 5 s of one that has died has to end within the test. */
const THINKING_MS = 400;
const DIES_AT = 200;
const RETURNS_AT = 400;

/** A backend that can die with its connections, and come back at its address. */
class Mortal {
  answered = 0;
  private server: Server | undefined;

  constructor(readonly port: number) {}

  async live(): Promise<void> {
    this.server = createServer((request, response) => {
      request.resume();
      if (request.method === 'GET') return void response.end('{"data":[]}');
      setTimeout(() => {
        if (response.destroyed) return;
        this.answered += 1;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(completion('fine')));
      }, THINKING_MS);
    }).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async die(): Promise<void> {
    const closed = new Promise((resolve) => this.server!.close(resolve));
    this.server!.closeAllConnections();
    await closed;
  }
}

interface Sums {
  usage: { key: string; turns: number; failed: number; inputTokens: number; outputTokens: number }[];
}

const targets: Mortal[] = [];
let gateway: RunningGateway | undefined;

afterAll(async () => {
  await gateway?.stop();
  for (const target of targets) await target.die();
});

test('of three targets one dies and returns: no client sees an error, and all counts add up', async () => {
  const home = tempHome();
  for (let count = 0; count < 3; count += 1) {
    const target = new Mortal(await freePort());
    await target.live();
    targets.push(target);
  }
  const mortal = targets[0]!;
  const providers = targets.map(
    ({ port }, index) =>
      `  - { name: ${'abc'[index]}, driver: chat-compat, base_url: "http://127.0.0.1:${port}/v1", default_model: m, max_concurrency: 100 }\n`,
  );
  home.configure(
    `version: "1"\nproviders:\n${providers.join('')}routes: [{ name: fair, order: spread, targets: [a, b, c] }]\n`,
  );
  gateway = await RunningGateway.start(['--log-level', 'silent'], { env: home.environment() });
  const answered: Record<string, number> = {};
  const failed: Record<string, number> = {};
  const statuses = new Map<number, number>();
  let begun = 0;
  let ended = 0;
  const client = async () => {
    while (begun < REQUESTS) {
      begun += 1;
      const response = await gateway!.chat({ model: 'fair' });
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      await response.arrayBuffer();
      const name = response.headers.get('x-drivebay-provider')!;
      answered[name] = (answered[name] ?? 0) + 1;
      for (const attempt of response.headers.get('x-drivebay-attempts')?.split(',') ?? []) {
        const [provider = ''] = attempt.split('=');
        failed[provider] = (failed[provider] ?? 0) + 1;
      }
      ended += 1;
    }
  };
  const until = async (count: number) => {
    while (ended < count) await pause(5);
  };
  const fate = async () => {
    await until(DIES_AT);
    await mortal.die();
    await until(RETURNS_AT);
    const before = mortal.answered;
    await mortal.live();
    return before;
  };
  const clients = Array.from({ length: AT_ONCE }, client);
  const before = await fate();
  await Promise.all(clients);
  expect([...statuses]).toEqual([[200, REQUESTS]]);
  expect(failed.a).toBeGreaterThan(0);
  expect(Object.keys(failed)).toEqual(['a']);
  expect(mortal.answered).toBeGreaterThan(before);
  const answers = ['a', 'b', 'c'].map((name) => answered[name]!);
  expect(answers.slice(1)).toEqual(targets.slice(1).map((target) => target.answered));
  // Of an answer that was on its way when the backend died, the client got nothing.
  expect(mortal.answered - answers[0]!).toBeLessThanOrEqual(failed.a!);
  const { usage } = JSON.parse((await home.run('usage', '--by', 'provider', '--json')).stdout) as Sums;
  const rows = usage.map(({ key, turns, failed: bad, inputTokens, outputTokens }) => ({
    ...{ key, good: turns - bad, bad, inputTokens, outputTokens },
  }));
  expect(rows).toEqual(
    ['a', 'b', 'c'].map((key, index) => {
      const good = answers[index]!;
      return { key, good, bad: failed[key] ?? 0, inputTokens: 3 * good, outputTokens: 2 * good };
    }),
  );
});
