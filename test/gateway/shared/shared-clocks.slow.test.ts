import { withRedis } from '../../setup/redis-server';
import type { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { runningTurn, type SharedStage, statusOf, untilShared, untilStatus, used, useStage } from './shared-stage';

const stage = useStage();
const MINUTE_MS = 60_000;

/** A gateway whose clock is so far ahead. */
async function ahead(on: SharedStage, ms: number): Promise<RunningGateway> {
  const shift = new TempHome().write(
    'shift.cjs',
    `const { now } = Date;
     const shifted = () => now() + ${ms};
     globalThis.Date = class extends Date {
       constructor(...words) { super(...(words.length === 0 ? [shifted()] : words)); }
       static now = shifted;
     };`,
  );
  const env = { NODE_OPTIONS: `--require ${shift}` };
  const gateway = await on.gateway({ more: ', required: true', env });
  await untilShared(gateway);
  return gateway;
}

async function two(ms: number): Promise<[RunningGateway, RunningGateway]> {
  stage().redis ??= await stage().server();
  return [await ahead(stage(), 0), await ahead(stage(), ms)];
}

withRedis.each([40_000, 20 * MINUTE_MS, -20 * MINUTE_MS])(
  'machines whose clocks are %d ms apart have one minute, and know what each other reserves',
  async (ms) => {
    const [one, other] = await two(ms);
    const statuses: number[] = [];
    for (let each = 0; each < 12; each++) statuses.push(await statusOf(each % 2 ? one : other, 'ten'));
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    for (const gateway of [one, other]) {
      const seconds = Number((await gateway.chat({ model: 'ten' })).headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
    }
    const running = await runningTurn(one, 'rich');
    for (const gateway of [other, one, other]) expect(await statusOf(gateway, 'rich')).toBe(429);
    await statusOf(one, 'free', { script: [{ open: 'end' }, ...used(0)] });
    await running.text();
    await untilStatus(other, 'rich', 200);
  },
);

withRedis('each machine has the day of its own clock: yesterday there spends nothing of today here', async () => {
  const [one, other] = await two(24 * 60 * MINUTE_MS);
  expect(await statusOf(one, 'rich', { script: used(10) })).toBe(200);
  await untilStatus(one, 'rich', 429);
  expect(await statusOf(other, 'rich', { script: used(10) })).toBe(200);
  await untilStatus(other, 'rich', 429);
});
