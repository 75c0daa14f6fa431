import { runCli } from '../../setup/run-cli';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();

async function days(TZ: string): Promise<string[]> {
  const { stdout } = await runCli(['usage', '--by', 'day', '--json'], { env: home.environment({ TZ }) });
  const { usage } = JSON.parse(stdout) as { usage: { key: string; turns: number }[] };
  return usage.map(({ key, turns }) => `${key} ${turns}`);
}

test('a day is one of the clock on the wall, also where it has 23 or 25 hours', async () => {
  const months = new Map<string, string>();
  const times = [
    // In Berlin the 29th of March had 23 hours, the 25th of October 25.
    ...['2026-03-28T22:59:59Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z'],
    ...['2026-10-24T21:59:59Z', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z'],
  ];
  for (const text of times) {
    const entry = { time: Date.parse(text), provider: 'p', driver: 'd', source: 'gateway', costUsd: 0, ok: true };
    const month = text.slice(0, 7);
    months.set(month, `${months.get(month) ?? ''}${JSON.stringify(entry)}\n`);
  }
  for (const [month, text] of months) home.write(`.local/state/drivebay/usage/${month}.ndjson`, text);
  expect(await days('Europe/Berlin')).toEqual([
    ...['2026-03-28 1', '2026-03-29 2', '2026-03-30 1'],
    ...['2026-10-24 1', '2026-10-25 2', '2026-10-26 1'],
  ]);
  expect(await days('UTC')).toEqual(['2026-03-28 2', '2026-03-29 2', '2026-10-24 2', '2026-10-25 2']);
});
