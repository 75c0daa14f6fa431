import { LiveCli } from '../../setup/live-cli';
import { TempHome } from '../../setup/temp-home';

const home = new TempHome();

test.each([
  ['logs -f', 'a'],
  ['daemon logs --follow', 'b'],
])('%s waits for a log that is not there yet, and for the folder of it', async (line, folder) => {
  const env = home.environment({ XDG_STATE_HOME: `${home.directory}/${folder}` });
  const logs = new LiveCli(line.split(' '), { env });
  const file = `${folder}/drivebay/daemon.log`;
  await logs.until(new RegExp(`there is no log yet, waiting for it: ${home.directory}/${file}\n`));
  home.write(file, 'the first line\n');
  await logs.until(/the first line\n/);
  expect(await logs.signal('SIGINT').end()).toMatchObject({ code: 130, stdout: 'the first line\n' });
});

test('without -f, a log that is not there yet is said, and nothing is made', async () => {
  const { code, stdout, stderr } = await home.run('logs');
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toBe(`there is no log yet: ${home.directory}/.local/state/drivebay/daemon.log\n`);
});
