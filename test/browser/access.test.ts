import { DashboardHome } from './dashboard-home';

let home: DashboardHome;

beforeAll(async () => {
  home = new DashboardHome();
  home.configure(
    'version: "1"\nproviders:\n  - { name: off, driver: chat-compat, base_url: "http://127.0.0.1:1/v1" }\n',
  );
  await home.start();
});
afterAll(() => home.end());

test('the token leaves the address bar, and no script can read the cookie', async () => {
  const { page, errors } = await home.openDashboard();
  expect(page.url()).not.toContain('token');
  expect(await page.evaluate('document.cookie')).toBe('');
  const [cookie] = await page.context().cookies(page.url());
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/dashboard' });
  await page.reload();
  await page.getByRole('status').getByText('live').waitFor();
  expect(errors).toEqual([]);
});

test('nothing is asked of any other machine', async () => {
  const { page, requests } = await home.openDashboard();
  for (const view of ['Processes', 'Requests', 'Usage', 'Overview'])
    await page.getByRole('link', { name: view, exact: true }).click();
  const own = new URL(page.url()).origin;
  expect(requests.length).toBeGreaterThan(5);
  expect(requests.filter((url) => !url.startsWith(own) && !url.startsWith('data:'))).toEqual([]);
});

test('a page of another origin on this machine can neither read nor kill', async () => {
  const { page } = await home.openDashboard();
  const { origin } = new URL(page.url());
  // Another host name of the same machine: another origin, to which the cookie does not belong.
  const other = await page.context().newPage();
  await other.goto(`${origin.replace('127.0.0.1', 'localhost')}/health`);
  const ask = (method: string) =>
    other.evaluate(
      ([url, verb]) => fetch(url!, { method: verb!, credentials: 'include' }).then(String, String),
      [`${origin}/dashboard/api/state`, method],
    );
  expect(await ask('GET')).toContain('Failed to fetch');
  expect(await ask('POST')).toContain('Failed to fetch');
});

test('a page whose daemon is a new one says how to be let in again', async () => {
  const { page } = await home.openDashboard();
  const { port } = new URL(page.url());
  await home.run('daemon', 'restart');
  // The new daemon listens where the old one did.
  const opened = await home.run('dashboard', '--no-open', '--port', port);
  await page.getByRole('heading', { name: 'This browser has no access any more' }).waitFor();
  await page.getByRole('alert').getByText('drivebay dashboard').waitFor();
  // Another tab is let in; this one is when it is looked at again.
  const other = await page.context().newPage();
  await other.goto(opened.stdout.trim());
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByRole('status').getByText('live').waitFor();
});
