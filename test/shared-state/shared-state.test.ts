import { SharedState } from '../../core/shared-state/shared-state';
import { RedisServer, withRedis } from '../setup/redis-server';
import { until } from '../setup/until';

/** Looks at the server happen twice a second. */
const LOOKS = 3;

withRedis('a server that comes and goes is told once in a minute', async () => {
  const redis = await RedisServer.start();
  const told: string[] = [];
  const quiet = () => undefined;
  const tell = (message: string) => void told.push(message);
  const state = new SharedState({
    ...{ url: redis.url, variable: 'URL', isRequired: true, ledger: 'l', machine: 'm', redact: (text) => text },
    log: { debug: quiet, info: tell, warn: tell, error: quiet },
  });
  let looks = 0;
  state.share({ meet: () => Promise.resolve(void (looks += 1)) });
  try {
    await until(() => state.isPrompt);
    await redis.kill();
    // A server that is away at the start is told after a while.
    await until(() => told.length === 1);
    expect(told[0]).toMatch(/^the shared state cannot be reached: .*; requests under a limit are refused$/);
    await redis.begin();
    await until(() => state.isPrompt);
    expect(told.slice(1)).toEqual(['the shared state is reached again']);
    await redis.kill();
    await until(() => !state.isPrompt);
    await redis.begin();
    looks = 0;
    await until(() => state.isPrompt && looks > LOOKS);
    expect(told).toHaveLength(2);
  } finally {
    await state.close();
    await redis.kill();
  }
});
