import { LimitBook } from '../../core/limits/limit-book';
import type { Limits } from '../../core/limits/limits';
import { Redactor } from '../../core/contract/redact';
import { Ledger } from '../../core/record/ledger';
import { SharedState } from '../../core/shared-state/shared-state';
import { RedisServer, withRedis } from '../setup/redis-server';
import { TempHome } from '../setup/temp-home';
import { until } from '../setup/until';

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const entry = { provider: 'main', driver: 'd', asker: { type: 'chat' }, ok: true } as const;

let redis: RedisServer;
const opened = new Set<SharedState>();

beforeEach(async () => (redis = await RedisServer.start()));
afterEach(async () => {
  for (const state of opened) await state.close();
  opened.clear();
  await redis.kill();
});

/** What a daemon counts, with a state folder that it may have in common with another one. */
class Daemon {
  private readonly ledger: Ledger;
  private readonly book: LimitBook;
  private readonly limits: Limits;
  state: SharedState | undefined;

  constructor(
    readonly folder = new TempHome().directory,
    readonly machine = `machine of ${folder}`,
  ) {
    this.ledger = new Ledger({ state: folder, redactor: new Redactor(), log });
    this.book = new LimitBook({ state: folder, ledger: this.ledger, log });
    this.limits = this.book.of({ type: 'provider', name: 'main' }, { budget_usd: { day: 1000, month: 1000 } })!;
  }

  static async sharing(folder?: string, machine?: string): Promise<Daemon> {
    const daemon = new Daemon(folder, machine);
    await daemon.share();
    return daemon;
  }

  async share(): Promise<void> {
    const url = redis.url;
    const { folder: ledger, machine } = this;
    const state = new SharedState({ url, variable: 'URL', isRequired: true, ledger, machine, log, redact: String });
    opened.add((this.state = state));
    this.book.shareBy(state);
    await until(() => state.isPrompt);
  }

  async spend(usd: number, isBooked = true): Promise<void> {
    await this.limits.restoring;
    const asks = this.limits.asksOthers;
    const hold = asks ? await this.limits.enterWithOthers() : this.limits.enter();
    hold.settle(0, usd);
    if (isBooked) this.ledger.book({ ...entry, time: Date.now(), costUsd: usd });
    await this.ledger.flush();
  }

  get restored(): Promise<void> | undefined {
    return this.limits.restoring;
  }

  /** The ledger still gathers lines when the daemon begins to share. */
  bookAndShare(usd: number): Promise<void> {
    this.limits.enter().settle(0, usd);
    this.ledger.book({ ...entry, time: Date.now(), costUsd: usd });
    return this.share();
  }

  get spent(): number[] {
    return this.limits.state().budgets.map(({ spentUsd }) => spentUsd);
  }

  /** Ends, and starts again. */
  async restart(): Promise<Daemon> {
    await this.state!.close();
    opened.delete(this.state!);
    return Daemon.sharing(this.folder, this.machine);
  }
}

/** Waits until all know the sum, and still do after two more looks at the server. */
async function expectSum(sum: number, ...daemons: Daemon[]): Promise<void> {
  await until(() => daemons.every(({ spent }) => spent.every((usd) => usd === sum)));
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(daemons.map(({ spent }) => spent)).toEqual(daemons.map(() => [sum, sum]));
}

withRedis(
  'what two daemons of one state folder spend counts once, also after each of them has started again',
  async () => {
    const one = await Daemon.sharing();
    const two = await Daemon.sharing(one.folder, 'another configuration');
    await one.spend(1);
    await two.spend(2);
    await expectSum(3, one, two);
    const oneAgain = await one.restart();
    await oneAgain.spend(4);
    await two.spend(8);
    const twoAgain = await two.restart();
    await expectSum(15, oneAgain, twoAgain);
  },
);

withRedis('what was spent before a daemon shares its counts counts once, also after a restart', async () => {
  const one = new Daemon();
  await one.spend(1);
  await one.share();
  await one.spend(2);
  const two = await Daemon.sharing();
  await expectSum(3, one, two);
  await expectSum(3, await one.restart(), two);
});

withRedis('what was booked just before a daemon shares its counts counts once, also after a restart', async () => {
  const one = new Daemon();
  await one.restored;
  const shared = one.bookAndShare(1);
  expect(one.spent).toEqual([1, 1]);
  await shared;
  await expectSum(1, one);
  await expectSum(1, await one.restart());
});

withRedis('where the ledger has lost lines, the server knows more, and the next requests count on top', async () => {
  const one = await Daemon.sharing();
  await one.spend(4, false);
  const again = await one.restart();
  await again.spend(1);
  await expectSum(5, again);
});

withRedis('a server that begins empty learns from the others what a machine has spent that is gone', async () => {
  const one = await Daemon.sharing();
  const two = await Daemon.sharing();
  await one.spend(1);
  await two.spend(2);
  await expectSum(3, one, two);
  await one.state!.close();
  await redis.kill();
  await redis.begin();
  await until(() => two.state!.isPrompt);
  await two.spend(4);
  await expectSum(7, two, await Daemon.sharing());
});
