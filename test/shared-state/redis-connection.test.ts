import { setTimeout as pause } from 'node:timers/promises';
import { RedisConnection } from '../../core/shared-state/redis-connection';
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
