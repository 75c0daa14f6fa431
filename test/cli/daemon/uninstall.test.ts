import { chmodSync, existsSync } from 'node:fs';
import { packageRoot } from '../../../core/package';
import { DaemonHome, isAlive } from '../../setup/daemon-home';

const onLinux = process.platform === 'linux' ? test : test.skip;

const SCRIPT = '.config/fish/completions/drivebay.fish';
const UNIT = '.config/systemd/user/drivebay.service';

/** A home with a daemon, a unit, a completion and a configuration. */
async function furnished(): Promise<{ home: DaemonHome; pid: number; config: string; env: Record<string, string> }> {
  const home = new DaemonHome();
  const config = home.configure('version: "1"\n');
  chmodSync(home.write('bin/systemctl', '#!/bin/sh\nexit 0\n'), 0o755);
  home.write(UNIT, '[Unit]\n');
  home.write(SCRIPT, (await home.run('completion', 'fish')).stdout);
  home.write('.zfunc/_drivebay', 'by the user\n');
  home.write('.bashrc', 'source <(drivebay completion bash)\n');
  home.write('.cache/drivebay/providers/a/file', '');
  const env = { PATH: `${home.directory}/bin:${process.env.PATH ?? ''}` };
  return { home, pid: await home.start(), config, env };
}

const left = (home: DaemonHome, ...files: string[]) => files.filter((file) => existsSync(`${home.directory}/${file}`));

onLinux('uninstall ends the daemon, and removes unit and completion; records and configuration stay', async () => {
  const { home, pid, config, env } = await furnished();
  const { code, stdout, stderr } = await home.runIn(home.directory, ['uninstall'], env);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `note: take the line with drivebay completion out of ${home.directory}/.bashrc\n`,
  });
  expect(stdout).toBe(
    [
      `removed: ${home.directory}/${UNIT}`,
      `the daemon has ended (pid ${pid})`,
      `removed: ${home.directory}/${SCRIPT}`,
      `kept: ${home.state}; to remove records and usage too: --state`,
      `kept: ${home.directory}/.config/drivebay, which is your own work`,
      `to remove the program: npm uninstall -g drivebay, or use the package manager that installed it; it is in ${packageRoot}\n`,
    ].join('\n'),
  );
  expect(isAlive(pid)).toBe(false);
  expect(left(home, UNIT, SCRIPT, '.zfunc/_drivebay', '.bashrc')).toEqual(['.zfunc/_drivebay', '.bashrc']);
  expect([existsSync(config), existsSync(home.state)]).toEqual([true, true]);
});

onLinux('with --state records and caches go, too', async () => {
  const { home, config, env } = await furnished();
  const { code, stdout } = await home.runIn(home.directory, ['uninstall', '--state'], env);
  expect([code, stdout.match(/^removed: /gm)?.length]).toEqual([0, 4]);
  expect(left(home, '.local/state/drivebay', '.cache/drivebay')).toEqual([]);
  expect(existsSync(config)).toBe(true);
});

test('a folder with another use stays: it holds the configuration, or another daemon works in it', async () => {
  const home = new DaemonHome();
  home.configure('version: "1"\n');
  const mixed = { XDG_STATE_HOME: `${home.directory}/.config` };
  const one = await home.runIn(home.directory, ['uninstall', '--state'], mixed);
  expect(one.stderr).toBe(`note: ${home.directory}/.config/drivebay has another use, too, so it stays\n`);
  const pid = await home.start();
  const other = await home.runIn(home.directory, ['uninstall', '--state'], {
    XDG_CONFIG_HOME: `${home.directory}/other`,
  });
  expect(other).toMatchObject({ code: 0, stderr: `note: ${home.state} has another use, too, so it stays\n` });
  expect([isAlive(pid), existsSync(home.state)]).toEqual([true, true]);
});
