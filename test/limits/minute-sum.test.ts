import { LimitReached } from '../../core/limits/limit-reached';
import { Limits } from '../../core/limits/limits';
import { Tally } from '../../core/limits/tally';
import { SharedState } from '../../core/shared-state/shared-state';
import { RedisServer, withRedis } from '../setup/redis-server';
import { until } from '../setup/until';

/** The limit of one client on one of several machines. */
function machine(url: string, name: string): { limits: Limits; state: SharedState } {
  const quiet = () => undefined;
  const state = new SharedState({
    ...{ url, variable: 'URL', isRequired: true, ledger: name, machine: name, redact: (text: string) => text },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  const tally = new Tally();
  const limits = new Limits({ type: 'client', name: 'editor' }, { requests_per_minute: 1 }, tally);
  tally.join(state);
  tally.share(state, 'client:editor', limits.limited);
  return { limits, state };
}

withRedis('a request that came before another machine began the minute waits until the minute has ended', async () => {
  const redis = await RedisServer.start();
  const [one, other] = [machine(redis.url, 'one'), machine(redis.url, 'other')];
  try {
    await until(() => one.state.isPrompt && other.state.isPrompt);
    const came = Date.now() - 1_000;
    await one.limits.enterWithOthers();
    const refusal: unknown = await other.limits
      .enterWithOthers(undefined, false, came)
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LimitReached);
    expect((refusal as LimitReached).retryAfterS).toBeGreaterThan(50);
    expect(other.limits.quotas().requests).toMatchObject({ remaining: 0 });
  } finally {
    await Promise.all([one.state.close(), other.state.close()]);
    await redis.kill();
  }
});
