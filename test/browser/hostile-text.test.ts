import { installAgents, say, script, use } from '../agents/scripted-agent';
import type { DashboardState, RequestRow } from '../../core/dashboard/protocol';
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
  - { name: other, driver: talker, default_model: m-2 }
  - { name: broken, driver: talker, default_model: m-3 }
`);
  await home.start();
});
afterAll(() => home.end());

const FAILED_REQUEST: RequestRow = {
  ...{ id: 'req', project: null, provider: 'main', model: 'm', stream: true, startedAt: Date.now() },
  end: { time: Date.now(), status: 502, ms: 5, error: 'broken' },
};

const parse = (line: string) => JSON.parse(line) as Partial<DashboardState>;

/** Words of the daemon's own, from closed lists. */
const CLOSED = new Set(['type', 'state', 'status', 'kind', 'driverKind', 'serves', 'level', 'root', 'key']);

/** The same answer with the attack in every text, whoever may have written it. */
function attacked(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return CLOSED.has(name) ? value : `${value} ${ATTACK}`;
  if (Array.isArray(value)) return value.map((each) => attacked(each, name));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, each]) => [key, attacked(each, key)] as const);
  // What drivers say of themselves has names of their own.
  const names = ['values', 'metadata', 'fields'].includes(name) ? ` ${ATTACK}` : '';
  return Object.fromEntries(fields.map(([key, each]) => [`${key}${names}`, each]));
}

test('the page shows every text that the daemon passes on as text, whatever its source', async () => {
  home.write('agent.yaml', 'models: { provider: broken, fallback: main }\n');
  const failed = { failOn: ['broken', 'unreachable', 'broken', {}] };
  const told = [{ type: 'reasoning', text: 'a thought' }, { trace: ['note', { a: 'b' }] }];
  const steps = [failed, ...told, use('llm_other', { prompt: 'Hi' }), { log: ['warn', 'careful', { a: 'b' }] }];
  const more = { agentFile: `${home.directory}/agent.yaml` };
  const pid = await home.spawn(script(steps, [say('x'), { fail: ['rejected', 'no', { hint: 'try' }] }]), more);
  await home.ended(pid);
  const { page, errors } = await home.openDashboard();
  await page.route(/\/api\/(state|processes|usage|turns)/, async (route) => {
    const answer = await route.fetch();
    // A record is lines of JSON, and every other answer is one.
    const values = (await answer.text()).trim().split('\n').map(parse);
    values[0]!.requests?.push(FAILED_REQUEST);
    return route.fulfill({ body: values.map((value) => `${JSON.stringify(attacked(value))}\n`).join('') });
  });
  for (const place of ['#/', '#/processes', '#/requests', '#/usage', `#/processes/${pid}`]) {
    await page.goto(new URL(`/dashboard/${place}`, page.url()).href);
    await page.reload();
    await page.locator('main').getByText('onerror=').first().waitFor();
    for (const button of await page.locator('.trace-rows .row-list button').all()) await button.click();
    expect([place, await page.evaluate(FOUND)]).toEqual([place, { hurt: undefined, elements: 0 }]);
    expect([place, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([place, 0]);
    if (place === '#/') expect(await page.locator('.why').first().innerText()).toContain(ATTACK);
  }
  for (const name of ['Intent', 'Answer', 'Reasoning', 'Facts']) {
    expect(await page.getByRole('region', { name }).innerText()).toContain(ATTACK);
  }
  await page.getByText('Fallback: broken').waitFor();
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
  const refusals = () => errors.filter((text) => text.includes('Content Security Policy'));
  while (refusals().length < 3) await page.waitForEvent('console');
});
