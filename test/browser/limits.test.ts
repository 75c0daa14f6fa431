import type { Upstream } from '../setup/upstream';
import { RunningGateway } from '../setup/running-gateway';
import { cutCells } from './cut-cells';
import { DashboardHome } from './dashboard-home';
import { startTalkingUpstream } from './talking-upstream';

const LONG = 'a-name-that-tells-everything-about-the-machine-where-this-model-runs';

let home: DashboardHome;
let upstream: Upstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = await startTalkingUpstream();
  home = new DashboardHome();
  home.configure(`version: "1"
providers:
  - { name: main, driver: chat-compat, base_url: "${upstream.url}/v1", default_model: m, cost_per_token: 0.001, tokens_per_minute: 90000 }
  - { name: free, driver: chat-compat, base_url: "${upstream.url}/v1", default_model: f }
  - { name: ${LONG}, driver: chat-compat, base_url: "${upstream.url}/v1", default_model: ${LONG}-model }
clients:
  - { name: editor, api_key_env: EDITOR_KEY, allow: [main], requests_per_minute: 2, max_concurrency: 4, budget_usd: { day: 50 } }
  - { name: guest, api_key_env: GUEST_KEY }
  - { name: the-reader-of-all-documents, api_key_env: READER_KEY }
`);
  const keys = { EDITOR_KEY: 'key-of-the-editor', GUEST_KEY: 'key-of-the-guest', READER_KEY: 'key-of-the-reader' };
  gateway = await RunningGateway.start([], { env: home.environment(keys) });
});
afterAll(async () => {
  await gateway.stop();
  await home.end();
  await upstream.close();
});

async function ask(key: string, model: string): Promise<number> {
  const answer = await gateway.chat({ model, stream: true }, { headers: { 'x-api-key': key } });
  await answer.text();
  return answer.status;
}

test('limits are bars that fill while requests come, and who was turned away stands beside them', async () => {
  expect([await ask('key-of-the-editor', 'main'), await ask('key-of-nobody', 'main')]).toEqual([200, 401]);
  const { page, errors } = await home.openDashboard('#/usage');
  const bar = (name: string) => page.getByRole('meter', { name, exact: true });
  const row = (name: string) => page.getByRole('table').getByRole('row').filter({ hasText: name });
  await bar('editor: requests a minute').waitFor();
  const values = (name: string) =>
    Promise.all(['aria-valuenow', 'aria-valuemax', 'aria-valuetext'].map((key) => bar(name).getAttribute(key)));
  expect(await values('editor: requests a minute')).toEqual(['1', '2', '1 of 2']);
  expect(await values('editor: at once')).toEqual(['0', '4', '0 of 4']);
  expect(await values('editor: this day')).toEqual(['1.5', '50', '$1.5000 of $50.0000']);
  expect(await values('main: tokens a minute')).toEqual(['1500', '90000', '1,500 of 90,000']);
  expect(await row('free').filter({ hasText: 'provider' }).count()).toBe(0);
  expect(await row('guest').innerText()).toMatch(/client\s+–\s+–/);
  expect(await row('(others)').innerText()).toContain('1 without a known key');
  for (const model of ['main', 'main', 'free']) await ask('key-of-the-editor', model);
  const refused = row('editor').filter({ hasText: '1 over its requests a minute' });
  await refused.filter({ hasText: '1 for what it may not ask for' }).waitFor();
  expect(await bar('editor: requests a minute').locator('.full').count()).toBe(1);
  expect(errors).toEqual([]);
});

test('a narrow screen shows the numbers of each limit, and a wide one has bars of one length', async () => {
  const { page } = await home.openDashboard('#/usage', { viewport: { width: 320, height: 900 } });
  const boxes = async (selector: string) => {
    await page.locator(selector).first().waitFor();
    const rectangles = `[...document.querySelectorAll('${selector}')].map((each) => each.getBoundingClientRect().toJSON())`;
    const all = await page.evaluate(rectangles);
    return all as { right: number; width: number }[];
  };
  for (const { right } of await boxes('.limit-bars li > span')) expect(right).toBeLessThanOrEqual(320);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(new Set((await boxes('.limit-bars [role=meter]')).map(({ width }) => width)).size).toBe(1);
});

test.each([360, 1280])('nothing hangs over or is cut in its row at %i px, where names are long', async (width) => {
  await ask('key-of-the-reader', LONG);
  const { page } = await home.openDashboard('#/', { viewport: { width, height: 900 } });
  for (const place of ['#/', '#/requests', '#/usage', '#/try']) {
    await page.goto(new URL(`/dashboard/${place}`, page.url()).href);
    await page.locator('main .panel').first().waitFor();
    if (place === '#/usage') await page.getByRole('meter').first().waitFor();
    if (place !== '#/usage' && place !== '#/try') await page.getByText(LONG).first().waitFor();
    expect([place, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([place, 0]);
    expect([place, await cutCells(page)]).toEqual([place, []]);
  }
});
