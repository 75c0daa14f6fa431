import { setTimeout as pause } from 'node:timers/promises';
import type { LimitReport } from '../../../core/limits/limit-report';
import { DaemonHome } from '../../setup/daemon-home';
import { RedisServer } from '../../setup/redis-server';
import type { RunningGateway } from '../../setup/running-gateway';
import { until } from '../../setup/until';
import { logLines, startScripted, stop, text } from '../scripted-driver';

export const PASSWORD = 'a-password-of-redis';

const yaml = (more = '') => `version: "1"
shared_state: { url_env: SHARED_URL${more} }
providers:
  - { name: ten, driver: scripted, default_model: m, requests_per_minute: 10 }
  - { name: burst, driver: scripted, default_model: m, requests_per_minute: 40 }
  - { name: tokens, driver: scripted, default_model: m, tokens_per_minute: 10 }
  - { name: rich, driver: scripted, default_model: m, cost_per_token: 1, budget_usd: { day: 10 } }
  - { name: long, driver: scripted, default_model: m, cost_per_token: 1, budget_usd: { month: 100 } }
  - { name: ill, driver: scripted, default_model: m }
  - { name: free, driver: scripted, default_model: m }
`;

export interface StageOptions {
  /** More of `shared_state`. `required` makes the counts exact however busy this machine is: requests wait for the server. */
  more?: string;
  /** The address that the gateways are given; by default that of the server, with its password. */
  url?: string;
  env?: Record<string, string>;
}

/** A server, and gateways on homes of their own that share it. To be closed after each test. */
export class SharedStage {
  redis: RedisServer | undefined;
  readonly gateways: RunningGateway[] = [];
  readonly homes: DaemonHome[] = [];

  async server(...words: string[]): Promise<RedisServer> {
    return (this.redis = await RedisServer.start('--requirepass', PASSWORD, ...words));
  }

  /** Starts a gateway that need not reach the server. */
  async gateway(options: StageOptions = {}): Promise<RunningGateway> {
    const home = new DaemonHome();
    this.homes.push(home);
    const gateway = await this.startOn(home, options);
    this.gateways.push(gateway);
    return gateway;
  }

  private startOn(home: DaemonHome, { more, url, env }: StageOptions): Promise<RunningGateway> {
    const address = url ?? `redis://:${PASSWORD}@127.0.0.1:${this.redis!.port}`;
    return startScripted(home, { yaml: yaml(more), env: { ...env, SHARED_URL: address } });
  }

  /** Ends all gateways, and starts each on its home again; meanwhile `change` runs. */
  async restart(change?: () => Promise<void>, signal?: NodeJS.Signals): Promise<RunningGateway[]> {
    await Promise.all(this.gateways.map((gateway) => gateway.stop(signal)));
    await change?.();
    const started = await Promise.all(this.homes.map((home) => this.startOn(home, {})));
    this.gateways.splice(0, Infinity, ...started);
    await Promise.all(started.map(untilShared));
    return started;
  }

  /** Starts two that share, with a server, where none is there yet. */
  async two(options: StageOptions = {}): Promise<[RunningGateway, RunningGateway]> {
    if (!this.redis) await this.server();
    const both = await Promise.all([this.gateway(options), this.gateway(options)]);
    await Promise.all(both.map(untilShared));
    return both;
  }

  /** Waits until a gateway knows what all of them have used of a provider together. */
  async untilKnown(gateway: RunningGateway, name: string, used: { usd: number } | { requests: number }): Promise<void> {
    const home = this.homes[this.gateways.indexOf(gateway)]!;
    await until(async () => {
      const { providers } = JSON.parse((await home.call('GET', '/v1/limits')).text) as LimitReport;
      const { budgets, requests } = providers.find((provider) => provider.name === name)!;
      return 'usd' in used ? budgets[0]!.spentUsd === used.usd : requests!.used === used.requests;
    });
  }

  async close(): Promise<void> {
    this.redis?.goOn();
    await Promise.all(this.gateways.map((gateway) => gateway.stop()));
    await this.redis?.kill();
    for (const home of this.homes) home.remove();
  }
}

/** A stage for each test of a file. */
export function useStage(): () => SharedStage {
  let stage: SharedStage;
  beforeEach(() => (stage = new SharedStage()));
  afterEach(() => stage.close());
  return () => stage;
}

export const used = (inputTokens: number) => [text('x'), { type: 'usage', inputTokens, outputTokens: 0 }, stop];

export const statusOf = async (gateway: RunningGateway, model: string, more = {}): Promise<number> =>
  (await gateway.chat({ model, max_tokens: 1, ...more })).status;

/** A turn that has been let in and goes on until a script opens `end`; it may cost 20. */
export async function runningTurn(gateway: RunningGateway, model: string): Promise<Response> {
  const script = [text('x'), { until: 'end' }, ...used(1)];
  const answer = await gateway.chat({ model, max_tokens: 20, stream: true, script });
  expect(answer.status).toBe(200);
  return answer;
}

/** The first request makes the counters; what it adds is known to the other gateway a moment later. */
export async function untilShared(gateway: RunningGateway): Promise<void> {
  await statusOf(gateway, 'free');
  await pause(1_000);
}

/** Waits until a gateway answers with the status, by requests that spend neither tokens nor money. */
export async function untilStatus(gateway: RunningGateway, model: string, status: number): Promise<void> {
  await until(async () => (await statusOf(gateway, model, { script: used(0) })) === status);
}

/**
 * How much longer a request under a limit takes than one without, in the best of some rounds: what other programs on this machine
 * take is in some of them, what a request waits for is in all.
 */
export async function delayOf(gateway: RunningGateway, model: string): Promise<number> {
  const time = async (name: string) => {
    const began = performance.now();
    await statusOf(gateway, name);
    return performance.now() - began;
  };
  const betterOf = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 4)]!;
  let best = Infinity;
  for (let round = 0; round < 8 && best >= 5; round++) {
    const usual: number[] = [];
    const under: number[] = [];
    for (let each = 0; each < 12; each++) {
      usual.push(await time('free'));
      under.push(await time(model));
    }
    best = Math.min(best, betterOf(under) - betterOf(usual));
  }
  return best;
}

const messages = (gateway: RunningGateway): string[] => logLines(gateway).map(({ msg }) => String(msg));
const AWAY = 'the shared state cannot be reached';
const BACK = 'the shared state is reached again';

export const hasWarned = (gateway: RunningGateway): boolean =>
  messages(gateway).some((message) => message.startsWith(AWAY));

/** Waits for the first warning. */
export async function warned(gateway: RunningGateway): Promise<string> {
  await gateway.untilOutput({ test: () => hasWarned(gateway) });
  return messages(gateway).find((message) => message.startsWith(AWAY))!;
}

/** A server that is away is told once. On a busy machine one that is there may come and go. */
export function expectNoRepeats(gateway: RunningGateway): void {
  const told = messages(gateway).flatMap((message) => [AWAY, BACK].filter((each) => message.startsWith(each)));
  expect(told).toEqual(told.map((_, index) => (index % 2 ? BACK : AWAY)));
}
