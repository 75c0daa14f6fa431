import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { socketPlaces } from '../../core/daemon/socket/socket-places';
import { productVersion } from '../../core/package';
import { ledgerFile } from '../../core/record/ledger-files';
import { LiveCli } from '../setup/live-cli';
import { cliPath } from '../setup/run-cli';
import { tempFolder } from '../setup/temp-folder';

// Only root may run a program as another user.
const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? test : test.skip;

const folder = tempFolder();
chmodSync(folder, 0o777);
// The folder of this file of tests, which is made for one user.
chmodSync(dirname(folder), 0o711);
const AS_NOBODY = ['setpriv', '--reuid', '54321', '--regid', '54321', '--clear-groups'];
const XDG = { XDG_CONFIG_HOME: `${folder}/c`, XDG_STATE_HOME: `${folder}/s`, XDG_CACHE_HOME: `${folder}/k` };

/** Runs the program as in a container whose user has a number only. */
function run(words: string[], more: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH ?? '', NO_COLOR: '1', ...more };
  return new LiveCli(words, { env, cwd: '/' }, [...AS_NOBODY, process.execPath, cliPath]).endInput().end();
}

asRoot('a user without a home folder gets its version, and what to set', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${productVersion}\n`, stderr: '' });
  for (const words of [['ps'], ['doctor'], ['daemon', 'start'], ['say hello to me']]) {
    const { code, stdout, stderr } = await run(words);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^error: there is no home folder: .*\n {2}run: export HOME=<absolute path>; .*XDG_STATE_HOME.*\n$/,
    );
  }
});

asRoot('three folders are enough for a daemon', async () => {
  expect(await run(['daemon', 'start'], XDG)).toMatchObject({ code: 0, stderr: '' });
  expect(await run(['daemon', 'stop'], XDG)).toMatchObject({ code: 0, stderr: '' });
});

asRoot('a folder that another user has made for its socket keeps no command from its work', async () => {
  const taken = '/tmp/drivebay-54321';
  mkdirSync(taken, { mode: 0o700 });
  try {
    for (const state of [folder, `${folder}/${'long'.repeat(25)}`]) {
      const env = { ...XDG, XDG_STATE_HOME: `${state}/s` };
      expect(await run(['ps'], env)).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('no process is running'),
      });
    }
  } finally {
    rmdirSync(taken);
  }
});

asRoot('commands ignore a program of another user at the socket of a daemon, and end no process for it', async () => {
  const taken = '/tmp/drivebay-54321';
  let socket = '';
  for await (const place of socketPlaces({ configHome: `${folder}/c/drivebay`, state: `${folder}/s/drivebay` }))
    socket = place.replace(/^\/tmp\/drivebay-\d+/, taken);
  let asked = 0;
  const server = createServer((connection) => void ((asked += 1), connection.destroy()));
  mkdirSync(dirname(socket), { recursive: true, mode: 0o755 });
  chownSync(taken, 65_534, 65_534);
  try {
    await once(server.listen(socket), 'listening');
    chmodSync(socket, 0o777);
    const { code, stderr } = await run(['ps'], XDG);
    expect([code, stderr]).toEqual([0, expect.stringContaining('no process is running')]);
    expect((await run(['daemon', 'stop'], XDG)).stdout).toBe('no daemon is running\n');
    expect(asked).toBe(0);
  } finally {
    server.close();
    rmSync(taken, { recursive: true });
  }
});

asRoot('usage tells of a ledger that the user may read, and not write', async () => {
  mkdirSync(`${folder}/s/drivebay/usage`, { recursive: true, mode: 0o777 });
  for (const each of ['', '/drivebay', '/drivebay/usage']) chmodSync(`${folder}/s${each}`, 0o777);
  const ledger = ledgerFile(`${folder}/s/drivebay`, Date.now());
  writeFileSync(ledger, '', { mode: 0o444 });
  expect((await run(['usage'], XDG)).stderr).toBe(
    `warning: usage cannot be kept: ${ledger} cannot be written to (EACCES); choose another folder: export XDG_STATE_HOME=<absolute path>\n`,
  );
});

asRoot('a project whose folder the user may not write is told with another command', async () => {
  const project = `${folder}/locked`;
  mkdirSync(`${project}/.drivebay`, { recursive: true, mode: 0o755 });
  const env = { PATH: process.env.PATH ?? '', OPENAI_API_KEY: 'sk-none', ...XDG };
  const command = [...AS_NOBODY, process.execPath, cliPath];
  const live = new LiveCli(['init', '--project', '-y'], { env, cwd: project }, command);
  const { code, stderr } = await live.endInput().end();
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /providers\.yaml cannot be written: EACCES: permission denied\n {2}write the file for every folder: drivebay init\n$/,
  );
});

asRoot('the variable that is advised for a home folder that cannot be written is enough', async () => {
  const more = { ...XDG, HOME: '/', OPENAI_API_KEY: '' };
  const { code, stdout } = await run(['providers', 'add', 'openai', '--model', 'm'], more);
  expect([code, stdout]).toEqual([0, `written: ${folder}/c/drivebay/providers.yaml\n`]);
  expect((await run(['config', 'check'], more)).stdout).toContain(
    `ok: ${folder}/c/drivebay/providers.yaml: 1 provider`,
  );
  expect(await run(['daemon', 'stop'], more)).toMatchObject({ code: 0 });
});

asRoot('a socket folder that others can write is not used, and no advice is to remove it', async () => {
  const others = '/tmp/drivebay-54321';
  mkdirSync(others);
  const { code, stderr } = await run(['daemon', 'start'], {
    ...XDG,
    XDG_STATE_HOME: `${folder}/${'long/'.repeat(20)}`,
  });
  rmdirSync(others);
  expect(code).toBe(1);
  expect(stderr).toMatch(/is not a folder that only you can use\n {2}choose another state folder, with a short path/);
});

asRoot('where HOME is / the doctor names the variables, and no command that changes the folder', async () => {
  const { code, stdout } = await run(['doctor', '--json'], { HOME: '/' });
  expect(code).toBe(1);
  const { findings } = JSON.parse(stdout) as { findings: { code: string; severity: string; fix: string }[] };
  for (const [name, variable] of [
    ['state_folder', 'XDG_STATE_HOME'],
    ['cache_folder', 'XDG_CACHE_HOME'],
  ]) {
    const fix = `choose another folder: export ${variable}=<absolute path>`;
    expect(findings.find((each) => each.code === name)).toMatchObject({ severity: 'broken', fix });
  }
  expect(stdout).not.toMatch(/chown|chmod|sudo/);
});

asRoot(
  'a configuration file that cannot be read is named by every command, and the doctor looks at the rest',
  async () => {
    const config = `${folder}/unreadable`;
    const file = `${config}/drivebay/providers.yaml`;
    mkdirSync(`${config}/drivebay`, { recursive: true });
    writeFileSync(file, 'version: "1"\n', { mode: 0o000 });
    const environment = { ...XDG, XDG_CONFIG_HOME: config };
    for (const words of [['config', 'check'], ['say hello to me']]) {
      const { code, stderr } = await run(words, environment);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`${file}: the file cannot be read: permission denied; `),
      ]);
    }
    const { stdout } = await run(['doctor', '--json'], environment);
    await run(['daemon', 'stop'], environment);
    const { findings } = JSON.parse(stdout) as { findings: { code: string }[] };
    expect(findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['config_invalid', 'state_folder', 'port']),
    );
  },
);

asRoot('a configuration folder that cannot be written is named, with the variable that moves it', async () => {
  const config = `${folder}/not-mine`;
  mkdirSync(`${config}/drivebay`, { recursive: true });
  writeFileSync(`${config}/drivebay/providers.yaml`, 'version: "1"\n');
  const { code, stderr } = await run(['providers', 'add', 'openai'], { ...XDG, XDG_CONFIG_HOME: config });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /the configuration folder \S+not-mine\/drivebay cannot be used: EACCES.*\n {2}choose another folder: export XDG_CONFIG/,
  );
});

asRoot('a file in the state folder that is not of this user, and that grows, is named by the doctor', async () => {
  const month = new Date().toISOString().slice(0, 7);
  for (const name of ['daemon.log', `usage/${month}.ndjson`, 'processes/index.ndjson']) {
    const state = `${folder}/of-root/${name.replaceAll('/', '-')}`;
    const file = `${state}/drivebay/${name}`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '', { mode: 0o644 });
    for (const place of [state, `${state}/drivebay`, dirname(file)]) chmodSync(place, 0o777);
    const { stdout } = await run(['doctor', '--json'], { ...XDG, XDG_STATE_HOME: state });
    const { findings } = JSON.parse(stdout) as { findings: { code: string }[] };
    expect(findings.find(({ code }) => code === 'state_folder')).toMatchObject({
      severity: 'broken',
      message: `${file} cannot be written to (EACCES); records and the daemon need it`,
      fix: 'choose another folder: export XDG_STATE_HOME=<absolute path>',
    });
  }
});

asRoot('where the state folder cannot be looked into, no command says that no daemon runs', async () => {
  const state = `${folder}/closed`;
  mkdirSync(`${state}/drivebay`, { recursive: true, mode: 0o700 });
  for (const words of [['daemon', 'status'], ['daemon', 'stop'], ['ps']]) {
    const { code, stdout, stderr } = await run(words, { ...XDG, XDG_STATE_HOME: state });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^error: the state folder \S+closed\/drivebay cannot be used: EACCES.*\n {2}choose another folder: export XDG_STATE_HOME=/,
    );
  }
  const { stdout } = await run(['doctor', '--json'], { ...XDG, XDG_STATE_HOME: state });
  expect(stdout).not.toMatch(/no daemon runs/);
});
