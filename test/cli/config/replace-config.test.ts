import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();
// Below /proc nothing can be made, and the system says that the folder is not there.
const onLinux = existsSync('/proc/self') ? test : test.skip;

onLinux.each([
  ['providers', 'add', 'claude-code'],
  ['mcp', 'add', 'files', '--', 'a-server'],
])('where the configuration folder cannot be made, %s %s ends and says how to move it', async (...words) => {
  const { code, stderr } = await home.runIn(home.directory, words, { XDG_CONFIG_HOME: '/proc/nowhere', HOME: '/proc' });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^error: the configuration folder \/proc\/nowhere\/drivebay cannot be used: E.*\n {2}choose another folder: export XDG_CONFIG_HOME=<absolute path>\n$/,
    ),
  ]);
});

onLinux('a file of a project that cannot be written is no fault of the configuration folder', async () => {
  const project = `${home.directory}/p`;
  mkdirSync(project);
  symlinkSync('/proc', `${project}/.drivebay`);
  const { code, stderr } = await home.runIn(project, ['mcp', 'add', 'files', '--project', '--', 'a-server']);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^error: \S+\/p\/\.drivebay\/mcp\.json cannot be written: E[A-Z]+: .*\n {2}leave --project out, so that your own file is written\n$/,
    ),
  ]);
});
