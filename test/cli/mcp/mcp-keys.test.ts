import { chmodSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();
const file = `${home.directory}/.config/drivebay/mcp.json`;
const mode = () => statSync(file).mode & 0o777;
/** The server need not start: the entry stays as it is written. */
const add = (...words: string[]) => home.run('mcp', 'add', ...words);

test('a file in a folder that cannot be read is named with the variable that moves the folder', async () => {
  const folder = `${home.directory}/.config`;
  symlinkSync(folder, folder);
  const { code, stderr } = await add('late', '--', 'no-such-program');
  expect(code).toBe(2);
  expect(stderr).toContain(
    `${folder} is a symbolic link that leads nowhere; choose another folder: export XDG_CONFIG_HOME=<absolute path>`,
  );
  rmSync(folder);
});

// The tests of this file follow each other, as the commands of a user do.
test('without a key the file has the mode that it had, and nothing is said', async () => {
  home.write('.config/drivebay/mcp.json', '{}');
  chmodSync(file, 0o644);
  const { stderr } = await add('plain', '--env', 'API_TOKEN=${MY_TOKEN}', '--', 'no-such-program');
  expect(stderr).not.toContain('a key now stands');
  expect(mode()).toBe(0o644);
});

test('a key that is written is told of without the key, and only the user can read the file', async () => {
  const { code, stderr, stdout } = await add(
    ...['web', '--url', 'http://127.0.0.1:1/mcp?token=sk-from-the-url'],
    ...['--header', 'Authorization: Bearer sk-from-a-header'],
  );
  expect(code).toBe(0);
  expect(stderr).toContain(`warning: a key now stands in ${file}: header Authorization, url\n  better: put it into`);
  expect(stderr).toContain("write '${NAME}' in its place");
  expect(stdout + stderr).not.toContain('sk-from');
  expect(readFileSync(file, 'utf8')).toContain('sk-from-the-url');
  expect(mode()).toBe(0o600);
});

test('with a mistake in providers.yaml nothing is added', async () => {
  const config = home.configure('providers: 3\n');
  const before = readFileSync(file, 'utf8');
  const { code, stdout, stderr } = await add('late', '--', 'no-such-program');
  expect([code, stdout, readFileSync(file, 'utf8')]).toEqual([2, '', before]);
  expect(stderr).toMatch(`nothing was written to ${file}\nerror: the configuration has a problem\n  ${config}:1:12: `);
  rmSync(config);
});

test('a command that rewrites such a file closes it, too', async () => {
  chmodSync(file, 0o644);
  expect((await home.run('mcp', 'remove', 'plain')).code).toBe(0);
  expect(mode()).toBe(0o600);
});
