import { RedisServer, SERVERS, withRedis, withServer } from '../../setup/redis-server';
import type { RunningGateway } from '../../setup/running-gateway';
import { until } from '../../setup/until';
import { errorOf } from '../wire';
import { PASSWORD, statusOf, untilStatus, used, useStage } from './shared-stage';

const stage = useStage();
const required = { more: ', required: true' };

for (const kind of Object.keys(SERVERS) as (keyof typeof SERVERS)[]) {
  withServer(kind)(
    `two gateways on two homes share a limit of ${kind}, exactly; no log shows the password`,
    async () => {
      stage().redis = await RedisServer.startKind(kind, '--requirepass', PASSWORD);
      const [one, two] = await stage().two(required);
      const statuses: number[] = [];
      for (let each = 0; each < 12; each++) statuses.push(await statusOf(each % 2 ? one : two, 'ten'));
      expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
      const all = await Promise.all(Array.from({ length: 100 }, (_, each) => statusOf(each % 2 ? one : two, 'burst')));
      expect(all.filter((status) => status === 200)).toHaveLength(40);
      const refused = await one.chat({ model: 'ten' });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(one.stderr + two.stderr).not.toContain(PASSWORD);
    },
  );
}

withRedis('they share a budget: 50 requests at once at both overspend it by the cost of one at most', async () => {
  const [one, two] = await stage().two(required);
  const ask = (gateway: RunningGateway) => statusOf(gateway, 'rich', { max_tokens: 3, script: used(4) });
  const all = await Promise.all(Array.from({ length: 50 }, (_, each) => ask(each % 2 ? one : two)));
  const spent = all.filter((status) => status === 200).length * 4;
  expect(spent).toBeGreaterThan(0);
  expect(spent).toBeLessThanOrEqual(10 + 4);
  const refusedBy = async (gateway: RunningGateway) => {
    const answer = await gateway.chat({ model: 'rich', max_tokens: 3, script: used(4) });
    return answer.status === 429 ? errorOf(await answer.text()).code : answer.text();
  };
  await until(async () => (await refusedBy(one)) === 'budget_exceeded');
  expect(await refusedBy(two)).toBe('budget_exceeded');
});

withRedis('parts of tokens, and numbers beyond all reason, spoil no sum and lose no server', async () => {
  const [one, two] = await stage().two(required);
  for (let each = 0; each < 3; each++) expect(await statusOf(one, 'tokens', { script: used(2.5) })).toBe(200);
  expect(await statusOf(two, 'tokens', { script: used(1e300) })).toBe(200);
  await untilStatus(one, 'tokens', 429);
  // With a sum that the server refuses each request would be a 503.
  expect([await statusOf(two, 'tokens'), await statusOf(two, 'ten')]).toEqual([429, 200]);
});

withRedis('what one learns of a rest the other one knows', async () => {
  const [one, two] = await stage().two();
  const fail = [{ fail: ['rate_limited', 'too many', { retryAfterS: 100 }] }];
  expect(await statusOf(one, 'ill', { script: fail })).toBe(502);
  const restsAt = async ({ url }: RunningGateway) => {
    const { data } = (await (await fetch(`${url}/v1/models`)).json()) as {
      data: { id: string; rests_after?: string }[];
    };
    return data.find(({ id }) => id === 'ill')?.rests_after;
  };
  await until(async () => (await restsAt(two)) === 'rate_limited');
  expect(await statusOf(two, 'ill')).toBe(200);
  await until(async () => (await restsAt(one)) === undefined);
});

withRedis.each([
  ['goes on', false],
  ['begins empty as well', true],
])('gateways that restart count what they have used once, where the server %s', async (_, isEmpty) => {
  const [one, two] = await stage().two();
  for (const gateway of [one, two]) {
    for (let each = 0; each < 3; each++) expect(await statusOf(gateway, 'ten')).toBe(200);
    expect(await statusOf(gateway, 'long', { script: used(20) })).toBe(200);
  }
  const { redis } = stage();
  const gateways = await stage().restart(async () => {
    if (!isEmpty) return;
    await redis!.kill();
    await redis!.begin();
  });
  // 6 of 10 requests of a minute that may be over by now, and 40 of 100 of a month are used.
  for (const gateway of gateways) expect(await statusOf(gateway, 'long', { script: used(25) })).toBe(200);
  await Promise.all(gateways.map((gateway) => untilStatus(gateway, 'long', 200)));
  // What a request has held is free for the other gateway a moment after its answer.
  await until(async () => (await statusOf(gateways[0]!, 'long', { script: used(10) })) === 200);
  await Promise.all(gateways.map((gateway) => untilStatus(gateway, 'long', 429)));
});
