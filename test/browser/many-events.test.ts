import { DashboardHome } from './dashboard-home';
import { recordTasks } from './long-tasks';

const PROCESSES = 200;
const EVENTS = 10_000;
/** Ten times as many per second as a page has to bear. */
const PER_SECOND = 1_000;
const LONGEST_MS = 100;

const FLOOD = `
'use strict';
const { setTimeout: sleep } = require('node:timers/promises');
module.exports = () => ({
  async *chat(request, call) {
    const prompt = request.messages.at(-1).parts[0].text;
    const [count, perSecond] = (/flood (\\d+) (\\d+)/.exec(prompt) ?? [, 3, 1e6]).slice(1).map(Number);
    const begin = performance.now();
    for (let index = 0; index < count; index += 1) {
      const late = performance.now() - begin - (index * 1000) / perSecond;
      if (late < 0) await sleep(-late);
      if (index % 2) call.trace('flood.tick', { index, what: 'a field of some length' });
      else yield { type: 'text', text: index % 40 === 0 ? 'word ' + index + '\\n' : 'word ' + index + ' ' };
    }
    yield { type: 'usage', inputTokens: 10, outputTokens: count };
    yield { type: 'finish', reason: 'stop' };
  },
  async check() {},
});
`;

let home: DashboardHome;

beforeAll(async () => {
  home = new DashboardHome();
  home.plugin('flood', { code: FLOOD });
  home.configure(
    'version: "1"\ndefault_provider: main\nproviders:\n  - { name: main, driver: flood, default_model: m }\n',
  );
  await home.start();
  for (let done = 0; done < PROCESSES; done += 20) {
    const pids = await Promise.all(Array.from({ length: 20 }, (_, index) => home.spawn(`Task ${done + index}`)));
    await Promise.all(pids.map((pid) => home.ended(pid)));
  }
}, 120_000);
afterAll(() => home.end());

test.each([
  ['its own page', (pid: number) => `#/processes/${pid}`, /10,0\d\d events/],
  ['the list of processes', () => '#/processes', /done\s*flood/],
  ['the overview', () => '#/', /done\s*flood/],
])(`${EVENTS} events among ${PROCESSES} processes give no long task on %s`, async (_, place, end) => {
  const { page, errors } = await home.openDashboard();
  const takeTasks = await recordTasks(page);
  const pid = await home.spawn(`flood ${EVENTS} ${PER_SECOND}`);
  await page.goto(new URL(`/dashboard/${place(pid)}`, page.url()).href);
  await home.ended(pid);
  const row = page.getByRole('table', { name: 'Processes' }).getByRole('row').filter({ hasText: 'flood' }).first();
  const places = page.getByRole('region', { name: 'Trace' }).or(row);
  await places.filter({ hasText: end }).waitFor();
  const tasks = await takeTasks();
  expect(tasks.length).toBeGreaterThan(100);
  expect(tasks.filter((ms) => ms > LONGEST_MS)).toEqual([]);
  expect(errors).toEqual([]);
});

test('a list of any length has only the rows in sight, and leads to its end', async () => {
  const { page } = await home.openDashboard('#/processes');
  const table = page.getByRole('table', { name: 'Processes' });
  expect(Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(PROCESSES);
  expect(await table.getByRole('row').count()).toBeLessThan(80);
  await page.keyboard.press('End');
  await table.getByText('Task 0', { exact: true }).waitFor();
  expect(await table.getByRole('row').count()).toBeLessThan(80);
});
