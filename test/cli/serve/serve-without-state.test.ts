import { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';

test('a state folder that cannot be used costs a warning, and no gateway', async () => {
  const home = new TempHome();
  const env = home.environment({ XDG_STATE_HOME: home.write('no-folder', '') });
  const gateway = await RunningGateway.start(['--demo'], { env });
  await gateway.untilOutput(/warn +other commands cannot reach this gateway: /);
  expect((await gateway.chat({ model: 'demo' })).status).toBe(200);
  // No command can open its dashboard: none is named.
  const page = await fetch(`${gateway.url}/dashboard/`);
  expect([page.status, await page.text()]).toEqual([401, expect.stringContaining('could not use its state folder')]);
  expect(await gateway.stop()).toBe(0);
  home.remove();
});
