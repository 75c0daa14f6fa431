import { RedisServer, withRedis } from '../../setup/redis-server';
import { SlowProxy } from '../../setup/slow-proxy';
import { until } from '../../setup/until';
import { errorOf } from '../wire';
import {
  delayOf,
  hasWarned,
  PASSWORD,
  runningTurn,
  statusOf,
  untilStatus,
  used,
  useStage,
  warned,
  expectNoRepeats,
} from './shared-stage';

const stage = useStage();
const required = { more: ', required: true' };

withRedis('killed: each counts alone and says so once; back and empty: the counts meet again', async () => {
  const [one, two] = await stage().two();
  const redis = stage().redis!;
  for (const gateway of [one, two]) await statusOf(gateway, 'long', { script: used(20) });
  // A server that begins empty gets back only what somebody knows.
  for (const gateway of [one, two]) await stage().untilKnown(gateway, 'long', { usd: 40 });
  await redis.kill();
  for (const gateway of [one, two]) {
    expect(await delayOf(gateway, 'ten')).toBeLessThan(5);
    expect(await statusOf(gateway, 'long', { script: used(20) })).toBe(200);
    expect(await warned(gateway)).toMatch(/; this machine counts alone until then$/);
  }
  await redis.begin();
  for (const gateway of [one, two]) await gateway.untilOutput(/the shared state is reached again/);
  // 40 before, 40 meanwhile: 80 of 100 are spent.
  for (const gateway of [one, two]) await stage().untilKnown(gateway, 'long', { usd: 80 });
  expect(await statusOf(one, 'long', { script: used(30) })).toBe(200);
  // On a busy machine the server may count as slow: then the other one learns it in the background.
  await untilStatus(two, 'long', 429);
  for (const gateway of [one, two]) expectNoRepeats(gateway);
});

withRedis('stalled: no request waits for it for longer than a moment', async () => {
  const [one] = await stage().two();
  const redis = stage().redis!;
  redis.stall();
  expect(await delayOf(one, 'burst')).toBeLessThan(5);
  await warned(one);
  redis.goOn();
  await one.untilOutput(/the shared state is reached again/);
});

withRedis(
  'slow: no request waits for it, and the machines tell each other their counts in the background',
  async () => {
    const redis = await stage().server();
    const proxy = await SlowProxy.start(redis.port);
    try {
      const url = `redis://:${PASSWORD}@127.0.0.1:${proxy.port}`;
      const slow = await stage().gateway({ url });
      const other = await stage().gateway();
      // From now on it counts a minute. Its further requests would fill the limit by themselves.
      expect(await statusOf(other, 'ten')).toBe(200);
      proxy.delay = 40;
      expect(await delayOf(slow, 'burst')).toBeLessThan(5);
      // On a busy machine some of the answers do not count as late, and without requests none is.
      await until(async () => {
        await statusOf(slow, 'rich', { script: used(0) });
        return hasWarned(slow);
      });
      expect(await warned(slow)).toContain('no answer within 3 ms');
      for (let each = 0; each < 9; each++) expect(await statusOf(slow, 'ten')).toBe(200);
      await stage().untilKnown(other, 'ten', { requests: 10 });
      expect(await statusOf(other, 'ten')).toBe(429);
      proxy.delay = 0;
      await slow.untilOutput(/the shared state is reached again/);
      expectNoRepeats(slow);
    } finally {
      proxy.close();
    }
  },
);

withRedis('full, a replica, with another password, no address: each counts alone, and says why once', async () => {
  const { port } = await stage().server();
  const start = (...words: string[]) => RedisServer.start('--requirepass', PASSWORD, ...words);
  // Less than an empty server needs: it is full from the first command on.
  const full = await start('--maxmemory', '500kb', '--maxmemory-policy', 'noeviction');
  const replica = await start('--replicaof', '127.0.0.1', String(port), '--masterauth', PASSWORD);
  const cases: [string, RegExp][] = [
    [`redis://:${PASSWORD}@127.0.0.1:${full.port}`, /memory of the server is full/],
    [`redis://:${PASSWORD}@127.0.0.1:${replica.port}`, /replica, which takes no counts; name the primary/],
    [`redis://:wrong@127.0.0.1:${port}`, /refuses the user or the password/],
    ['redis.example:6379', /SHARED_URL holds no address/],
  ];
  try {
    const gateways = await Promise.all(cases.map(([url]) => stage().gateway({ url })));
    for (const [index, gateway] of gateways.entries()) {
      expect(await warned(gateway)).toMatch(cases[index]![1]);
      expect(await delayOf(gateway, 'burst')).toBeLessThan(5);
      const statuses: number[] = [];
      for (let each = 0; each < 12; each++) statuses.push(await statusOf(gateway, 'ten'));
      expect(statuses.filter((status) => status === 200)).toHaveLength(10);
      expectNoRepeats(gateway);
      expect(gateway.stderr).not.toContain(PASSWORD);
      expect(gateway.stderr).not.toContain('is reached again');
    }
  } finally {
    await Promise.all([full.kill(), replica.kill()]);
  }
});

withRedis('required: 503 while it is away or stalled, for what has a limit, and for nothing else', async () => {
  const redis = await stage().server();
  const one = await stage().gateway(required);
  await untilStatus(one, 'ten', 200);
  await redis.kill();
  const refused = await one.chat({ model: 'ten' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(errorOf(await refused.text()).code).toBe('shared_state_unavailable');
  expect(await statusOf(one, 'free')).toBe(200);
  await redis.begin();
  await untilStatus(one, 'ten', 200);
  redis.stall();
  expect([await statusOf(one, 'ten'), await statusOf(one, 'free')]).toEqual([503, 200]);
  redis.goOn();
  await untilStatus(one, 'ten', 200);
});

withRedis('a daemon that was killed lets go of its reservations when it starts again', async () => {
  const [one, two] = await stage().two();
  await runningTurn(one, 'rich');
  await untilStatus(two, 'rich', 429);
  await one.stop('SIGKILL');
  const again = await stage().restart();
  for (const gateway of again) await untilStatus(gateway, 'rich', 200);
});

withRedis('back and empty: what running requests reserve is known to all again', async () => {
  const [one, two] = await stage().two();
  const running = await runningTurn(one, 'rich');
  await untilStatus(two, 'rich', 429);
  await stage().redis!.kill();
  for (const gateway of [one, two]) await warned(gateway);
  await stage().redis!.begin();
  // One that starts now has it from the server alone.
  const third = await stage().gateway();
  for (const gateway of [third, two]) await untilStatus(gateway, 'rich', 429);
  expect(await statusOf(one, 'free', { script: [{ open: 'end' }, ...used(0)] })).toBe(200);
  await running.text();
  for (const gateway of [third, two]) await untilStatus(gateway, 'rich', 200);
});
