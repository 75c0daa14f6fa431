import { RedisConnection } from '../../core/shared-state/redis-connection';
import { RedisServer, withRedis } from '../setup/redis-server';

withRedis('what is taken back of a sum that is over takes nothing from the next one', async () => {
  const redis = await RedisServer.start();
  const connection = new RedisConnection(redis.url, () => undefined);
  try {
    await connection.connected;
    expect(await connection.add('minute', -1, 60)).toMatchObject({ sum: 0 });
    expect(await connection.add('minute', 2, 60)).toMatchObject({ sum: 2 });
    const { sum, leftMs } = await connection.add('minute', -1, 60);
    expect([sum, leftMs > 50_000]).toEqual([1, true]);
  } finally {
    connection.close();
    await redis.kill();
  }
});
