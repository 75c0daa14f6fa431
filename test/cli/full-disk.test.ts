import { spawnSync } from 'node:child_process';
import { mkdirSync, rmdirSync } from 'node:fs';
import { ledgerFile } from '../../core/record/ledger-files';
import { DaemonHome } from '../setup/daemon-home';
import { HEALTHY } from '../setup/driver-code';
import { LiveCli } from '../setup/live-cli';
import { cliPath } from '../setup/run-cli';
import { type TempHome, tempHome } from '../setup/temp-home';

const home = tempHome();
const blocked = new DaemonHome();
const unbooked = new DaemonHome();
const state = `${home.directory}/small`;
mkdirSync(state);

// A disk of 64 KiB without a free byte, which only this command sees.
const FILL = `mount -t tmpfs -o size=64k none ${state} && head -c 65536 /dev/zero >${state}/rest && "$@"`;
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

beforeAll(() => {
  for (const each of [home, blocked, unbooked]) configure(each);
});

function configure(home: TempHome): void {
  home.plugin('answering', {
    code: `module.exports = () => ({ ...${HEALTHY}, async *chat() {
      yield { type: 'text', text: 'the answer' };
      yield { type: 'finish', reason: 'stop' };
    } });`,
  });
  home.configure('version: "1"\ndefault_provider: a\nproviders: [{ name: a, driver: answering, default_model: m }]\n');
}

/** A client of `launch` that has a file with settings. */
const SETTINGS = { name: 'crow', title: 'Crow', programs: ['true'], files: { 'settings.json': { model: '{model}' } } };

function onFullDisk(script: string) {
  const env = home.environment({ XDG_STATE_HOME: state });
  const command = ['unshare', '--mount', 'sh', '-c', FILL, 'sh', 'sh', '-c', script, process.execPath, cliPath];
  return new LiveCli([], { env }, command).endInput().end();
}

const WAY_OUT = 'free space on its disk, or choose another folder: export XDG_STATE_HOME=<absolute path>';

(canMount ? test : test.skip)(
  'on a full disk a run answers, says once that it leaves no record, nothing goes on with it, and usage does not say that there was none',
  async () => {
    const { code, stdout, stderr } = await onFullDisk(
      '"$0" "$1" "please answer" && ! "$0" "$1" -c "and then" && "$0" "$1" usage && "$0" "$1" daemon restart && "$0" "$1" ps -a && "$0" "$1" dashboard --no-open; "$0" "$1" daemon stop',
    );
    expect([code, stderr.split('\n').filter((line) => line.startsWith('warning'))]).toEqual([
      0,
      [
        `warning: the record of this run is not kept in ${state}/drivebay/processes, and its usage may not be: ENOSPC: no space left on device, write; ${WAY_OUT}`,
        `warning: usage cannot be kept: the disk of ${state}/drivebay/usage is full; ${WAY_OUT}`,
        `warning: records and usage cannot be kept: the disk of ${state}/drivebay is full; ${WAY_OUT}`,
        `warning: records cannot be kept: the disk of ${state}/drivebay/processes is full; ${WAY_OUT}`,
      ],
    ]);
    expect(stdout).toMatch(
      /^the answer\n[^]*the daemon runs \(pid \d+\)\n[^]*\nhttp:\S+\?token=\S+\nthe daemon has ended/,
    );
    expect(stderr.match(/^error.*/gm)).toEqual([
      expect.stringMatching(/^error: there is no record of process 1: ENOSPC: no space left on device/),
    ]);
    expect(stderr).not.toMatch(/nothing has been used|no process has run/);
  },
);

(canMount ? test : test.skip)('on a full disk a client is not launched, and the folder is named', async () => {
  home.plugin('crow', { manifest: { clients: [SETTINGS] }, code: 'module.exports = () => ({})' });
  const { code, stderr } = await onFullDisk('"$0" "$1" launch crow; code=$?; "$0" "$1" daemon stop; exit $code');
  expect([code, stderr]).toEqual([
    1,
    `error: the state folder ${state}/drivebay cannot be used: ENOSPC: no space left on device, write\n  ${WAY_OUT}\n`,
  ]);
});

test('where files stand in place of the folders, a run says so, and usage leads to the variable, with a daemon and without', async () => {
  for (const name of ['processes', 'usage']) blocked.write(`.local/state/drivebay/${name}`, '');
  const { code, stdout, stderr } = await blocked.run('please answer');
  expect([code, stdout]).toEqual([0, 'the answer\n']);
  const lines = stderr.split('\n').filter((line) => line.startsWith('warning'));
  expect(lines).toEqual([
    expect.stringMatching(/is not kept in \S+processes, and .*: ENOTDIR.*; choose .*XDG_STATE_HOME=<absolute path>$/),
  ]);
  expect((await blocked.run('daemon', 'logs')).stdout).toMatch(/usage cannot be kept in .*ENOTDIR.*XDG_STATE_HOME=/);
  for (const before of [
    ['daemon', 'status'],
    ['daemon', 'stop'],
  ]) {
    await blocked.run(...before);
    const { code, stderr } = await blocked.run('usage');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: the state folder \S+ cannot be used: ENOTDIR.*\n {2}choose .*XDG_STATE_HOME=/),
    ]);
  }
});

test('where only the ledger cannot be written, a run says so, until it can again', async () => {
  const month = ledgerFile(unbooked.state, Date.now());
  mkdirSync(month, { recursive: true });
  const warnings = async () => (await unbooked.run('please answer')).stderr.match(/^warning.*/gm);
  for (const _ of ['first', 'second'])
    expect(await warnings()).toEqual([
      `warning: the usage of this run may not be kept: ${month} exists and is not a regular file; choose another folder: export XDG_STATE_HOME=<absolute path>`,
    ]);
  rmdirSync(month);
  expect(await warnings()).toBeNull();
});
