import { DaemonHome } from '../../setup/daemon-home';
import { HEALTHY } from '../../setup/driver-code';

const home = new DaemonHome();
const project = `${home.directory}/project`;
const ask = { DRIVEBAY_PROJECT_TRUST: 'ask' };
const yaml = (to: string) => `version: "1"
default_provider: theirs
providers:
  - { name: theirs, driver: caller, base_url: "http://${to}:1", default_model: m }
`;
const run = (...words: string[]) => home.runIn(project, words, ask);

test('a daemon that holds back what a project sets gives it free when it is trusted, without a restart', async () => {
  home.plugin('caller', {
    code: `module.exports = (context) => ({ ...${HEALTHY}, async *chat() {
      yield { type: 'text', text: 'asked ' + context.options.base_url };
      yield { type: 'finish', reason: 'stop' };
    } });`,
    manifest: { options: { base_url: {} }, required: ['base_url'] },
  });
  home.write('project/.drivebay/providers.yaml', yaml('first'));
  const pid = await home.start();
  const held = await run('run', 'go');
  expect([held.code, held.stdout]).toEqual([1, '']);
  expect(held.stderr).toMatch(/base_url of the project file is not trusted yet\n.*run: drivebay trust\n/);
  expect((await run('trust')).code).toBe(0);
  expect(await run('run', 'go')).toMatchObject({ code: 0, stdout: 'asked http://first:1\n' });

  // Another content is not what was trusted; the daemon sees it with a reload or a restart.
  home.write('project/.drivebay/providers.yaml', yaml('second'));
  expect((await run('run', 'go')).stderr).toContain('run: drivebay reload');
  expect((await run('daemon', 'restart')).stdout).not.toContain(`pid ${pid})`);
  expect((await run('run', 'go')).stderr).toContain('is not trusted yet');
});
