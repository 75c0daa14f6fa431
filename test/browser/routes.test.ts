import { delta, DONE, finish, json, sse, Upstream } from '../setup/upstream';
import { RunningGateway } from '../setup/running-gateway';
import { DashboardHome } from './dashboard-home';

let home: DashboardHome;
let upstream: Upstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = await Upstream.start();
  upstream.answer(({ method, body }) => {
    if (method === 'GET') return json({ data: [] });
    if (body?.model === 'tired') {
      return json({ error: { message: 'used up' } }, { status: 429, headers: { 'retry-after': '600' } });
    }
    return sse([delta('Hi'), finish(), DONE]);
  });
  home = new DashboardHome();
  const provider = (name: string) =>
    `{ name: ${name}, driver: chat-compat, base_url: "${upstream.url}/v1", default_model: ${name} }`;
  home.configure(`version: "1"
providers: [${['tired', 'fresh', 'spare'].map(provider).join(', ')}]
routes:
  - { name: smart, targets: [tired, fresh] }
  - { name: fair, order: spread, targets: [{ target: fresh, weight: 3 }, smart] }
  - { name: "any-*", targets: [spare] }
`);
  await home.start();
  gateway = await RunningGateway.start([], { env: home.environment() });
});
afterAll(async () => {
  await gateway.stop();
  await home.end();
  await upstream.close();
});

const ask = async (model: string) => (await gateway.chat({ model, stream: true })).text();

test('a route shows its targets, who answered how often, and who rests for how long', async () => {
  await ask('smart');
  const { page, errors } = await home.openDashboard();
  const table = page.getByRole('table', { name: 'Routes' });
  const row = (route: number, target: number) => table.locator('tbody').nth(route).getByRole('row').nth(target);
  await row(0, 0)
    .getByText(/tired rests for 9 min \d\d s \(rate_limited\)/)
    .waitFor();
  expect((await row(0, 1).innerText()).split(/\s+/).filter(Boolean)).toEqual(['fresh', 'healthy', '1']);
  expect(await row(1, 0).innerText()).toMatch(/fair\s+in turn[^]*fresh × 3/);
  expect(await row(2, 0).innerText()).toMatch(/any-\*[^]*spare/);
  const text = await row(0, 0).locator('.rest .warn').innerText();
  await page.getByText(text, { exact: true }).first().waitFor({ state: 'detached' });
  // The page counts on by the events, and a page that is loaded anew by the ledger.
  await ask('smart');
  await row(0, 1).getByText('2', { exact: true }).waitFor();
  await page.reload();
  await row(0, 1).getByText('2', { exact: true }).waitFor();
  const tired = page.getByRole('table', { name: 'Providers' }).locator('tbody').filter({ hasText: 'tired' });
  await tired.getByText(/tired rests for/).waitFor();
  expect((await home.run('providers', 'wake', 'tired')).code).toBe(0);
  await page
    .getByText(/tired rests for/)
    .first()
    .waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('a request shows who answered it, and why the others did not', async () => {
  await ask('smart');
  const { page } = await home.openDashboard('#/requests');
  const rows = page.getByRole('table', { name: 'Ended requests' }).getByRole('row');
  const first = rows.filter({ hasText: 'smart → fresh' }).first();
  await first.getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: /^The attempts of request req_/ });
  expect(await dialog.innerText()).toMatch(/200 · after 1 that did not answer\s+tired: rate_limited: .*used up/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});
