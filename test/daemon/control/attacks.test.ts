import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { DaemonHome } from '../../setup/daemon-home';

const home = new DaemonHome();
beforeAll(async () => {
  home.configure('version: "1"\nproviders: []\n');
  await home.start();
});

/** Sends bytes to the socket, and reads until it is closed. */
async function bytes(data: string): Promise<string> {
  const socket = connect(home.socket).setEncoding('latin1');
  let received = '';
  socket.on('data', (piece: string) => (received += piece)).on('error', () => undefined);
  socket.write(Buffer.from(data, 'latin1'));
  // A reset behind the answer is an end too.
  await new Promise((resolve) => socket.once('close', resolve));
  return received;
}

const isWell = async () => expect((await home.call('GET', '/v1/daemon')).status).toBe(200);

const NOBODY = 65_534;
const CODE = `require('net').connect(process.argv[1]).on('connect', () => console.log('let in'))
  .on('error', (error) => console.log(error.code)).on('connect', () => process.exit())`;

(process.getuid?.() === 0 ? test : test.skip)('another user of the machine is not let in', () => {
  for (const path of [home.socket, dirname(home.socket)]) expect(statSync(path).mode & 0o077).toBe(0);
  const { stdout } = spawnSync(process.execPath, ['-e', CODE, home.socket], {
    uid: NOBODY,
    gid: NOBODY,
    encoding: 'utf8',
  });
  expect(stdout.trim()).toBe('EACCES');
});

test('garbage, a line without an end and headers beyond any measure are answered, and end their connection only', async () => {
  expect(await bytes('this is not HTTP\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
  expect(await bytes(`GET /${'x'.repeat(200_000)}`)).toMatch(/^HTTP\/1\.1 (431|414|400)/);
  expect(await bytes(`GET /v1/daemon HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(200_000)}\r\n\r\n`)).toMatch(/ 431 /);
  await isWell();
});

test('a body that announces more than 64 MiB is refused before it is sent', async () => {
  const head = 'POST /v1/processes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const received = await bytes(`${head}Content-Length: ${65 * 1024 * 1024}\r\n\r\n`);
  expect(received).toMatch(/^HTTP\/1\.1 413[^]*too_large/);
  await isWell();
});

test('a body of a million brackets, and fields named after prototypes, are a 400', async () => {
  const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
  const project = '{"workingDirectory":"/"}';
  for (const body of [
    `{"intent":${deep}}`,
    `{"__proto__":{"intent":"x","workingDirectory":"/"},"project":${project}}`,
    `{"constructor":{"prototype":{"intent":"x"}},"project":${project}}`,
  ]) {
    const head = 'POST /v1/processes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';
    expect(await bytes(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)).toMatch(/^HTTP\/1\.1 400/);
  }
  await isWell();
});

test.each(['/v1/processes/..%2f..%2fetc%2fpasswd', '/v1/processes/__proto__', '/v1/processes/-1', '/v1/processes/1e9'])(
  '%s is no process',
  async (path) => {
    const { status, text } = await home.call('GET', path);
    expect([400, 404]).toContain(status);
    expect(text).not.toContain('root:');
  },
);
