import { setTimeout as pause } from 'node:timers/promises';
import type { RunningGateway } from '../../setup/running-gateway';
import { withRedis } from '../../setup/redis-server';
import { statusOf, used, useStage, warned } from './shared-stage';

const stage = useStage();
/** The ledger gathers lines for 100 ms. */
const GATHERED_MS = 500;
/** What one knows the other one knows after two looks. */
const LOOKS_MS = 1_200;

const spend = (gateway: RunningGateway, usd: number) => statusOf(gateway, 'long', { script: used(usd) });

/** So much is left of the budget of 100, and both know. */
async function expectLeft([one, two]: readonly RunningGateway[], left: number): Promise<void> {
  expect(await spend(two!, left - 1)).toBe(200);
  await pause(LOOKS_MS);
  expect(await spend(two!, 0)).toBe(200);
  // Until then the other one may count the reservation of the last request.
  await pause(LOOKS_MS);
  expect(await spend(one!, 1)).toBe(200);
  await pause(LOOKS_MS);
  expect([await spend(one!, 0), await spend(two!, 0)]).toEqual([429, 429]);
}

withRedis.each(['SIGTERM', 'SIGKILL'] as const)(
  'what a machine spends while the server is cut off counts everywhere, also where %s ends it meanwhile',
  async (signal) => {
    const gateways = await stage().two();
    for (const gateway of gateways) expect(await spend(gateway, 10)).toBe(200);
    await pause(LOOKS_MS);
    const { redis } = stage();
    redis!.stall();
    for (const gateway of gateways) {
      for (let each = 0; each < 3; each++) await statusOf(gateway, 'burst');
      await warned(gateway);
      expect(await spend(gateway, 20)).toBe(200);
    }
    await pause(GATHERED_MS);
    const again = await stage().restart(undefined, signal);
    redis!.goOn();
    await pause(2 * LOOKS_MS);
    await expectLeft(again, 40);
  },
);

withRedis('what a stalled server takes late counts once', async () => {
  const gateways = await stage().two();
  const { redis } = stage();
  redis!.stall();
  // All are told to the server at once, and the answers are missed: the connection is made anew after 5 s of silence.
  expect(await spend(gateways[0], 40)).toBe(200);
  for (let each = 0; each < 2; each++) expect(await statusOf(gateways[0], 'ten')).toBe(200);
  await pause(6_500);
  redis!.goOn();
  await pause(2 * LOOKS_MS);
  const statuses: number[] = [];
  for (let each = 0; each < 10; each++) statuses.push(await statusOf(gateways[1], 'ten'));
  expect(statuses).toEqual([...Array<number>(8).fill(200), 429, 429]);
  await expectLeft(gateways, 60);
});
