import { RunningGateway } from '../setup/running-gateway';
import { DashboardHome } from './dashboard-home';

/** A driver that keeps two conversations in one program, the daemon itself, until it is asked to let them go. */
const KEEPER = `const kept = [];
module.exports = (context) => ({
  async check() {},
  async *chat({ messages }) {
    if (messages.at(-1).parts[0].text === 'go') kept.splice(0).forEach((each) => each.take());
    else for (const state of ['spare', 'conversation', 'conversation'])
      kept.push(context.keep({ state, most: 9, forMs: 600_000, pid: process.pid, end() {} }));
    yield { type: 'text', text: 'hi' };
    yield { type: 'finish', reason: 'stop' };
  },
});`;

let home: DashboardHome;
let gateway: RunningGateway;

beforeAll(async () => {
  home = new DashboardHome();
  home.plugin('keeper', { code: KEEPER, manifest: { kind: 'cli' } });
  home.providers('name: mine, driver: keeper, default_model: m');
  await home.start();
  gateway = await RunningGateway.start([], { env: home.environment() });
});
afterAll(async () => {
  await gateway.stop();
  await home.end();
});

const ask = async (content: string) =>
  (await gateway.chat({ model: 'mine', messages: [{ role: 'user', content }] })).text();

test('the programs that a provider keeps are shown with number, kind, age and memory, as they come and go', async () => {
  const { page, errors } = await home.openDashboard();
  const row = page.getByRole('table', { name: 'Providers' }).locator('tbody').filter({ hasText: 'mine' });
  await row.getByText('healthy').waitFor();
  expect(await row.locator('.kept').count()).toBe(0);
  await ask('keep');
  await row.locator('.kept').getByText('2 in a conversation, the oldest for').waitFor();
  const text = async () => (await row.locator('.kept').innerText()).replace(/\s+/g, ' ');
  expect(await text()).toMatch(
    /^Kept: 1 ready, for \d+ s 2 in a conversation, the oldest for \d+ s 1 program, [1-9]\d* MB$/,
  );
  // The age goes on by itself, and a page that is loaded anew shows the same.
  const before = await text();
  await row
    .getByText(before.match(/for \d+ s/)![0].slice(4), { exact: true })
    .first()
    .waitFor({ state: 'detached' });
  await page.reload();
  await row.locator('.kept').getByText('1 ready').waitFor();
  await ask('go');
  await row.locator('.kept').waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});
