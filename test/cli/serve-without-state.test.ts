import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';

test('a state folder that cannot be used costs a warning, and no gateway', async () => {
  const home = new TempHome();
  const env = home.environment({ XDG_STATE_HOME: home.write('no-folder', '') });
  const gateway = await RunningGateway.start(['--demo'], { env });
  await gateway.untilOutput(/warn +other commands cannot reach this gateway: /);
  expect((await gateway.chat({ model: 'demo' })).status).toBe(200);
  expect(await gateway.stop()).toBe(0);
  home.remove();
});
