import { installAgents, say, script } from '../agents/scripted-agent';
import type { DashboardState } from '../../core/dashboard/protocol';
import { DashboardHome } from './dashboard-home';

const ATTACK = `<img src=x onerror="window.hurt=1"><script>window.hurt=1</script><a href="javascript:window.hurt=1">x</a>`;

/** What the attack left in the page. */
const FOUND = `({
  hurt: window.hurt,
  elements: document.querySelectorAll('#app :is(img, script, [onerror], [href^=javascript])').length,
})`;

let home: DashboardHome;

beforeAll(async () => {
  home = new DashboardHome();
  installAgents(home);
  home.configure(`version: "1"
default_provider: main
providers:
  - { name: main, driver: talker, default_model: '${ATTACK}' }
`);
  await home.start();
});
afterAll(() => home.end());

test('what a model says, and what it was asked, is shown as text', async () => {
  const thought = { type: 'reasoning', text: `thought ${ATTACK}` };
  const intent = script([thought, say(`said ${ATTACK}`), { trace: [ATTACK, { field: ATTACK }] }]);
  const pid = await home.spawn(intent);
  await home.ended(pid);
  const { page, errors } = await home.openDashboard(`#/processes/${pid}`);
  expect(await page.getByRole('region', { name: 'Answer' }).innerText()).toContain(`said ${ATTACK}`);
  expect(await page.getByRole('region', { name: 'Reasoning' }).innerText()).toContain(`thought ${ATTACK}`);
  expect(await page.getByRole('region', { name: 'Intent' }).innerText()).toContain(JSON.stringify(ATTACK).slice(1, -1));
  expect(await page.getByRole('region', { name: 'Facts' }).innerText()).toContain(ATTACK);
  await page.getByRole('table', { name: 'Trace' }).getByText('field=').click();
  expect(await page.getByLabel('The whole event').innerText()).toContain('onerror');
  expect(await page.evaluate(FOUND)).toEqual({ hurt: undefined, elements: 0 });
  expect(errors).toEqual([]);
});

test('a provider with a name that no configuration lets pass is shown as text, too', async () => {
  const { page, errors } = await home.openDashboard();
  await page.route('**/api/state', async (route) => {
    const state = (await (await route.fetch()).json()) as DashboardState;
    for (const provider of state.projects.flatMap(({ providers }) => providers)) {
      Object.assign(provider, {
        name: `name ${ATTACK}`,
        status: 'offline',
        reason: ATTACK,
        hint: ATTACK,
        pays: ATTACK,
      });
    }
    await route.fulfill({ json: state });
  });
  await page.reload();
  await page.getByText(`name ${ATTACK}`).waitFor();
  expect(await page.locator('.why').innerText()).toContain(ATTACK);
  expect(await page.evaluate(FOUND)).toEqual({ hurt: undefined, elements: 0 });
  expect(errors).toEqual([]);
});

test('markup that got into the page all the same could do nothing', async () => {
  const { page, errors } = await home.openDashboard();
  await page.evaluate(`
    document.querySelector('main').insertAdjacentHTML('beforeend', ${JSON.stringify(ATTACK)});
    const inline = document.createElement('script');
    inline.textContent = 'window.hurt = 1';
    document.body.append(inline);
  `);
  await page.getByText('x', { exact: true }).click();
  expect(await page.evaluate('window.hurt')).toBeUndefined();
  expect(errors.filter((text) => text.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(3);
});
