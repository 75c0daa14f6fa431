import { setTimeout as pause } from 'node:timers/promises';
import { type Part, RedisConnection } from '../../core/shared-state/redis-connection';
import { RedisServer, withRedis } from '../setup/redis-server';

let redis: RedisServer;
let connection: RedisConnection;

async function connected(): Promise<RedisConnection> {
  redis = await RedisServer.start();
  connection = new RedisConnection(redis.url, () => undefined);
  await connection.connected;
  return connection;
}

afterEach(async () => {
  connection.close();
  await redis.kill();
});

withRedis('what is taken back of a sum that is over takes nothing from the next one', async () => {
  await connected();
  expect(await connection.add('minute', -1, 60)).toMatchObject({ sum: 0 });
  expect(await connection.add('minute', 2, 60)).toMatchObject({ sum: 2 });
  const { sum, leftMs } = await connection.add('minute', -1, 60);
  expect([sum, leftMs > 50_000]).toEqual([1, true]);
});

withRedis(
  'of each part of a sum the largest value that any machine tells counts, and a sum that is told goes on',
  async () => {
    await connected();
    const merge = async (...parts: Part[]) => Object.fromEntries(await connection.merge('day', parts, 1));
    expect(await merge(['a', 3], ['b', 0])).toEqual({ a: 3 });
    expect(await merge(['b', 4], ['a', 2], ['c', 1e300])).toEqual({ a: 3, b: 4, c: 1e300 });
    for (let each = 0; each < 4; each++, await pause(400))
      expect(await merge(['a', 12])).toMatchObject({ a: 12, b: 4 });
  },
);

withRedis('each machine is told what the others hold, and it ends with what they let go of', async () => {
  await connected();
  const hold = (machine: string, amount: number) => connection.hold('held', machine, amount, 60);
  expect(await Promise.all([hold('a', 3), hold('b', 4), hold('c', Number.MAX_SAFE_INTEGER)])).toEqual([0, 3, 7]);
  expect([await hold('c', 1), await hold('a', 5), await hold('b', 0)]).toEqual([7, 5, 6]);
  expect([await hold('a', 0), await hold('c', 0), await hold('b', 0)]).toEqual([1, 0, 0]);
});

withRedis(
  'what a machine holds that tells nothing any more ends by itself, however often the others tell',
  async () => {
    await connected();
    const hold = (machine: string, amount: number) => connection.hold('held', machine, amount, 1);
    // Sent together, so that no part ends in between.
    expect(await Promise.all([hold('crashed', 7), hold('alive', 2)])).toEqual([0, 7]);
    while ((await hold('alive', 2)) > 0) await pause(100);
    expect(await Promise.all([hold('alive', 2), hold('third', 0)])).toEqual([0, 2]);
  },
);
