import { DashboardHome } from './dashboard-home';

const STATE = '.local/state/drivebay';

let home: DashboardHome;

beforeAll(async () => {
  home = new DashboardHome();
  home.write(`${STATE}/usage/${new Date().toISOString().slice(0, 7)}.ndjson`, 'rubbish\n');
  home.write(`${STATE}/processes/1.ndjson`, 'rubbish\n');
  await home.start();
});
afterAll(() => home.end());

test.each([
  ['#/', 'no process can be read from', 'No process can be read.'],
  ['#/processes', 'no process can be read from', 'No process can be read.'],
  ['#/requests', '1 line of', 'No client waits'],
  ['#/usage', '1 line of', 'Nothing that can be read was used'],
])('the view %s says what it leaves out, and not that there is nothing', async (place, warning, empty) => {
  const { page } = await home.openDashboard(place);
  await page.getByText(empty).waitFor();
  expect(await page.locator('.note-warn').allInnerTexts()).toContainEqual(expect.stringContaining(warning));
});
