import { createClient } from '@redis/client';
import { SharedState } from '../../core/shared-state/shared-state';
import { RedisServer, withRedis } from '../setup/redis-server';
import { SlowProxy } from '../setup/slow-proxy';
import { until } from '../setup/until';

/** Looks at the server happen twice a second. */
const LOOKS = 3;

function open(url: string, isRequired: boolean, tell: (message: string) => void = () => undefined): SharedState {
  const quiet = () => undefined;
  return new SharedState({
    ...{ url, variable: 'URL', isRequired, ledger: 'l', machine: 'm', redact: (text: string) => text },
    log: { debug: quiet, info: tell, warn: tell, error: quiet },
  });
}

withRedis('a server that comes and goes is told once in a minute', async () => {
  const redis = await RedisServer.start();
  const told: string[] = [];
  const state = open(redis.url, true, (message) => void told.push(message));
  let looks = 0;
  state.share({ meet: () => Promise.resolve(void (looks += 1)) });
  try {
    await until(() => state.isPrompt);
    await redis.kill();
    // A server that is away at the start is told after a while.
    await until(() => told.length === 1);
    const away = 'the shared state cannot be reached: the server refused the connection';
    expect(told[0]).toBe(`${away}; requests under a limit are refused`);
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

withRedis('a changed password is reported as such, and not as lost connections', async () => {
  const redis = await RedisServer.start();
  const owner = createClient({ url: redis.url });
  const told: string[] = [];
  const state = open(redis.url, true, (message) => void told.push(message));
  try {
    await until(() => state.isPrompt);
    await owner.connect();
    await owner.configSet('requirepass', 'another');
    await owner.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
    await state.add('sum', 1, 60).catch(() => undefined);
    await until(() => told.length === 1);
    expect(told[0]).toMatch(/: the server wants a password, and the address has none; /);
  } finally {
    owner.destroy();
    await state.close();
    await redis.kill();
  }
});

withRedis('at the end a server that is too slow for requests is told what it does not know, too', async () => {
  const redis = await RedisServer.start();
  const proxy = await SlowProxy.start(redis.port);
  proxy.delay = 40;
  const state = open(`redis://127.0.0.1:${proxy.port}`, false);
  let isNew = false;
  let isTold = false;
  let looks = 0;
  state.share({
    meet: async (connection) => {
      looks += 1;
      // What comes during a look has to wait for the next one.
      const told = isNew;
      await connection.probe();
      isTold ||= told;
    },
  });
  try {
    await until(() => looks > 0);
    expect(state.isPrompt).toBe(false);
    isNew = true;
    await state.close();
    expect(isTold).toBe(true);
  } finally {
    await state.close();
    proxy.close();
    await redis.kill();
  }
});

withRedis('after some answers in a row that come too late no request waits any more', async () => {
  const redis = await RedisServer.start();
  const proxy = await SlowProxy.start(redis.port);
  const state = open(`redis://127.0.0.1:${proxy.port}`, false);
  try {
    await until(() => state.isPrompt);
    proxy.delay = 40;
    // A busy machine may find single answers in time.
    for (let asked = 0; state.isPrompt && asked < 20; asked++) {
      const answer = state.add('sum', 1, 60);
      await state.inTime([answer]);
      await answer;
    }
    expect(state.isPrompt).toBe(false);
  } finally {
    await state.close();
    proxy.close();
    await redis.kill();
  }
});
