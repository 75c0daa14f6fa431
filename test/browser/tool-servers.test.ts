import { installAgents, script, use } from '../agents/scripted-agent';
import { mcpJson, toolServer } from '../setup/tool-servers';
import { DashboardHome } from './dashboard-home';

let home: DashboardHome;

beforeAll(async () => {
  home = new DashboardHome();
  installAgents(home);
  home.configure(
    'version: "1"\ndefault_provider: main\nproviders: [{ name: main, driver: talker, default_model: m }]\n',
  );
  const broken = { command: process.execPath, args: ['-e', 'process.exit(3)'] };
  home.write('.config/drivebay/mcp.json', mcpJson({ box: toolServer(home.directory), broken }));
  home.write('project/.drivebay/mcp.json', mcpJson({ strange: toolServer(home.directory) }));
  await home.start();
});
afterAll(() => home.end());

test('tool servers are shown with what they do, what is wrong with them, and what waits for trust', async () => {
  const { page, errors } = await home.openDashboard();
  const row = (name: string) =>
    page.getByRole('table', { name: 'Tool servers' }).locator('tbody').filter({ hasText: name });
  await row('box').getByText('not started').waitFor();
  expect(await row('strange').count()).toBe(0);
  const waits = await home.spawn(script([use('mcp_box_wait', {})]));
  await row('box').getByText('running', { exact: true }).waitFor();
  await row('broken').getByText('failed', { exact: true }).waitFor();
  expect(await row('broken').locator('.why-text').innerText()).toContain('3');
  expect(await row('box').innerText()).toMatch(/running\s+16\s+1\s/);
  await home.call('POST', `/v1/processes/${waits}/kill`, {});
  await row('box').getByText('not started').waitFor();
  const root = `${home.directory}/project`;
  await home.call('GET', `/v1/project?workingDirectory=${encodeURIComponent(root)}&root=${encodeURIComponent(root)}`);
  await home.spawn('Hi');
  await row('strange').getByText('waits for trust').waitFor();
  expect(await row('strange').getByText('drivebay trust').count()).toBe(1);
  expect(errors).toEqual([]);
});

test('the table does not hang over on a phone', async () => {
  const { page } = await home.openDashboard('#/', { viewport: { width: 360, height: 900 } });
  await page.getByRole('table', { name: 'Tool servers' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
});
