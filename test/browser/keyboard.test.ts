import { installAgents, say, script } from '../agents/scripted-agent';
import { DashboardHome } from './dashboard-home';

let home: DashboardHome;
let pid: number;

beforeAll(async () => {
  home = new DashboardHome();
  installAgents(home);
  home.configure(
    'version: "1"\ndefault_provider: main\nproviders:\n  - { name: main, driver: talker, default_model: m-1 }\n',
  );
  await home.start();
  for (const text of ['First', 'Second', 'Third']) pid = await home.spawn(script([say(text)]));
  await home.ended(pid);
});
afterAll(() => home.end());

const FOCUSED = 'document.activeElement.textContent';

test('every view and every process is reached without a mouse', async () => {
  const { page } = await home.openDashboard();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(FOCUSED)).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');

  await page.getByRole('link', { name: 'Processes', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Processes' }).waitFor();
  await page.getByLabel('Find').focus();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(FOCUSED)).toContain('Third');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(FOCUSED)).toContain('First');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Answer' }).getByText('Second').waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Processes' }).waitFor();
});

test('what has the focus can be seen', async () => {
  const { page } = await home.openDashboard('#/processes');
  await page.reload();
  await page.getByText('3 of 3').waitFor();
  // The way past all, the mark, four views, two filters, three processes.
  for (let press = 0; press < 11; press += 1) {
    await page.keyboard.press('Tab');
    const unseen = await page.evaluate(`(() => {
      const element = document.activeElement;
      const places = [element, element.closest('.row')].filter(Boolean);
      return places.every((each) => getComputedStyle(each).outlineStyle === 'none') ? element.outerHTML : '';
    })()`);
    expect(unseen).toBe('');
  }
});

test('a table that is wider than the screen is scrolled by keys', async () => {
  const { page } = await home.openDashboard('#/usage', { viewport: { width: 320, height: 700 } });
  const table = page.getByRole('group', { name: 'Use by provider' });
  await table.focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction('document.activeElement.scrollLeft > 0');
});

test('a link between figures can be recognized without its colour', async () => {
  const { page } = await home.openDashboard();
  await page.locator('dl').getByRole('link').waitFor();
  expect(await page.evaluate("getComputedStyle(document.querySelector('dl a')).textDecorationLine")).toBe('underline');
});

test('the filter finds by text and by state', async () => {
  const { page } = await home.openDashboard('#/processes');
  const rows = page.getByRole('table', { name: 'Processes' }).getByRole('row');
  await page.getByLabel('Find').fill('second');
  await page.getByText('1 of 3').waitFor();
  expect(await rows.nth(1).innerText()).toContain('Second');
  await page.getByLabel('State').selectOption('failed');
  await page.getByText('No process in this list matches.').waitFor();
});
