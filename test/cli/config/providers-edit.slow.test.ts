import { HEALTHY } from '../../setup/driver-code';
import { readFileSync } from 'node:fs';
import { DaemonHome } from '../../setup/daemon-home';
import { withCheck } from '../../setup/driver-code';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();
const file = `${home.directory}/.config/drivebay/providers.yaml`;
const text = () => readFileSync(file, 'utf8');
const edit = (...words: string[]) => home.run('providers', ...words);

home.plugin('parrot', {
  code: withCheck(''),
  manifest: { aliases: ['polly'], options: { base_url: {}, api_key_env: {} }, required: ['base_url'] },
});
home.plugin('owl', {
  code: withCheck("throw context.error('unreachable', 'asleep', { hint: 'wait for the night' });"),
});

// The tests of this file follow each other, as the commands of a user do.
test('the first provider comes into a new file as its default, and is asked whether it answers', async () => {
  const words = ['--name', 'grey', '--base-url', 'http://h:1/v1', '--model', 'm', '--api-key-env', 'MY_KEY'];
  const { code, stdout, stderr } = await edit('add', 'polly', ...words);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^written: ${file}\\ngrey answers in \\d+ms\\n$`));
  expect(stderr).toBe('it is the default, as the only provider of this file\n');
  expect(text()).toBe(`version: "1"
default_provider: grey
providers:
  - name: grey
    driver: polly
    base_url: http://h:1/v1
    api_key_env: MY_KEY
    default_model: m
`);
});

test('another one comes behind it, and its silence is no failure', async () => {
  const before = text();
  const { code, stderr } = await edit('add', 'owl');
  expect(code).toBe(0);
  expect(stderr).toContain('owl is offline: asleep; wait for the night\n');
  expect(stderr).toContain(
    'it has no default_model: a question names one with --model; its models: drivebay models owl\n',
  );
  expect(text()).toBe(`${before}  - name: owl\n    driver: owl\n`);
});

test('a default is set, and goes with its provider', async () => {
  expect((await edit('set-default', 'owl')).code).toBe(0);
  expect(text()).toContain('version: "1"\ndefault_provider: owl\nproviders:\n');
  const { code, stdout, stderr } = await edit('remove', 'owl');
  expect({ code, stdout }).toEqual({ code: 0, stdout: `written: ${file}\n` });
  expect(stderr).toContain('it was the default; to choose another one: drivebay providers set-default NAME\n');
  expect(text()).not.toContain('owl');
});

test('where no provider is left, the next step is to add one', async () => {
  const only = tempHome();
  only.configure('version: "1"\ndefault_provider: a\nproviders: [{ name: a, driver: openai }]\n');
  const { code, stderr } = await only.run('providers', 'remove', 'a');
  const advice = 'no provider is left in the file; to add one: drivebay providers add <driver>\n';
  expect([code, stderr]).toEqual([0, advice]);
  expect((await only.run('doctor')).stdout).toMatch(
    /no provider is configured\n +fix: drivebay providers add <driver>\n/,
  );
  expect((await only.run('init', '--yes')).stderr).toContain('exists already');
});

test('where the project has another default, set-default says so', async () => {
  const own = home.write(
    'project/.drivebay/providers.yaml',
    'default_provider: mine\nproviders:\n  - { name: mine, driver: owl }\n',
  );
  const run = (...words: string[]) => home.runIn(`${home.directory}/project`, ['providers', ...words]);
  expect((await run('set-default', 'grey')).stderr).toContain(`note: here ${own} makes "mine" the default\n`);
  expect(await run('remove', 'mine')).toMatchObject({
    code: 2,
    stderr: `error: there is no provider "mine" in ${file}\n  it is in ${own}: edit that file\n`,
  });
});

test('a route can be the default, keeps its targets from being removed, and is removed as a provider is', async () => {
  const before = text();
  home.configure(`${before}routes:\n  - name: fast\n    targets: [grey]\n`);
  expect((await edit('set-default', 'fast')).code).toBe(0);
  expect(text()).toContain('default_provider: fast\n');
  expect(await edit('remove', 'grey')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /"grey" is a target of the route "fast" \(\S+providers\.yaml:\d+:\d+\)\n {2}take it out of the targets there; or remove the route first: drivebay providers remove fast\n/,
    ) as string,
  });
  const { code, stderr } = await edit('remove', 'fast');
  expect([code, stderr]).toEqual([0, expect.stringContaining('it was the default; to choose another one')]);
  expect(text()).not.toContain('fast');
  expect((await home.run('config', 'check')).code).toBe(0);
  home.configure(before);
});

test.each<[string, string[], RegExp]>([
  ['an unknown driver', ['add', 'parot'], /no plug-in provides driver "parot"\n {2}did you mean parrot\?/],
  ['a name that is taken', ['add', 'polly', '--name', 'grey'], /there is a provider "grey" already\n {2}.*--name NAME/],
  ['an option that the driver lacks', ['add', 'owl', '--base-url', 'http://x'], /driver "owl" takes no --base-url/],
  ['an option that the driver needs', ['add', 'parrot'], /driver "parrot" needs --base-url/],
  ['an unknown provider', ['remove', 'gray'], /there is no provider "gray" in \S+\n {2}did you mean grey\?/],
  ['a default that is not there', ['set-default', 'owl'], /there is no provider "owl" in /],
  [
    'what is no address',
    ['add', 'parrot', '--base-url', 'x'],
    /nothing was written: .*\n[^]*base_url: found the text "x"/,
  ],
  [
    'a key',
    ['add', 'parrot', '--base-url', 'http://x', '--api-key-env', 'sk-1234'],
    /wants the NAME of an environment variable[^]*export MY_KEY=/,
  ],
])('%s is a mistake, and the file stays as it is', async (_, words, message) => {
  const before = text();
  const { code, stdout, stderr } = await edit(...words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('sk-1234');
  expect(text()).toBe(before);
});

test('commands at the same time lose nothing: each has written its change, or says that it has not', async () => {
  const names = ['one', 'two', 'three'];
  const results = await Promise.all(names.map((name) => edit('add', 'owl', '--name', name)));
  const written = names.filter((_, index) => results[index]!.code === 0);
  expect(written).not.toEqual([]);
  expect(names.filter((name) => text().includes(`name: ${name}\n`))).toEqual(written);
  for (const { stderr } of results.filter(({ code }) => code !== 0)) {
    expect(stderr).toBe(`error: nothing was written: ${file} has just been changed\n  run the command again\n`);
  }
});

test('a file with mistakes is not edited', async () => {
  const broken = tempHome();
  const place = broken.configure('version: "1"\nproviders: [\n');
  const { code, stderr } = await broken.run('providers', 'add', 'chat-compat', '--base-url', 'http://x/v1');
  expect(code).toBe(2);
  expect(stderr).toContain(`${place}:3:1: `);
});

test('mistakes that are in the file have the lines of the file, not those of the new text', async () => {
  const broken = tempHome();
  const place = broken.configure('version: "1"\nproviders:\n  - { name: a, driver: nothing }\n');
  const { code, stderr } = await broken.run('providers', 'set-default', 'a');
  expect(code).toBe(2);
  expect(stderr).toContain(`nothing was written: ${place} has mistakes\n`);
  expect(stderr).toContain(`${place}:3:24: providers[0].driver: no plug-in provides driver "nothing"`);
});

test('the line breaks of a file stay as they are, and an entry goes with its comments', async () => {
  const other = tempHome();
  const lines = (text: string) => text.replaceAll('\n', '\r\n');
  const place = other.configure(
    lines('version: "1"\nproviders:\n  # about a\n  - name: a # tail\n    driver: codex\n'),
  );
  await other.run('providers', 'add', 'codex', '--name', 'b');
  await other.run('providers', 'set-default', 'b');
  await other.run('providers', 'remove', 'a');
  const left = 'version: "1"\ndefault_provider: b\nproviders:\n  - name: b\n    driver: codex\n';
  expect(readFileSync(place, 'utf8')).toBe(lines(left));
});

test('the default that is one already is no change, and a daemon that runs is not called old', async () => {
  const own = new DaemonHome();
  own.configure('version: "1"\ndefault_provider: a\nproviders:\n  - { name: a, driver: codex }\n');
  await own.start();
  const { code, stdout, stderr } = await own.run('providers', 'set-default', 'a');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^a is the default already: \S+providers.yaml\n$/);
});

describe('a daemon that runs', () => {
  const own = new DaemonHome();
  const add = (...words: string[]) =>
    own.run('providers', 'add', 'chat-compat', '--base-url', 'http://127.0.0.1:9/v1', ...words);
  let pid: number;

  test('reads the new file when the command has written it, and the command says what has changed', async () => {
    pid = await own.start();
    expect((await own.run('providers', 'status')).stderr).toContain('no configuration file was found');
    const { code, stderr } = await add('--name', 'near');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      new RegExp(`^the daemon \\(pid ${pid}\\) has read it: .*added near.*changed default_provider`, 'm'),
    );
    const { stdout, stderr: notes } = await own.run('providers', 'status');
    expect(stdout).toMatch(/\nnear /);
    expect(notes).not.toMatch(/something else|no configuration file/);
  });

  test('goes on where another project has a mistake, and the command says where, and what to run', async () => {
    const file = own.write('other/.drivebay/providers.yaml', 'version: "1"\n');
    await own.runIn(`${own.directory}/other`, ['providers', 'status']);
    own.write('other/.drivebay/providers.yaml', 'version: 5\n');
    const { code, stderr } = await own.run('providers', 'remove', 'near');
    expect(code).toBe(0);
    expect(stderr).toContain(`the daemon (pid ${pid}) keeps the old configuration: ${file}:1:10: version: `);
    expect(stderr).toContain('; fix that, then run: drivebay reload\n');
  });
});

test('a daemon that found no file says that it was not there then, and not that there is none', async () => {
  const own = new DaemonHome();
  await own.start();
  await own.run('providers', 'status');
  const file = own.configure('version: "1"\ndefault_provider: a\nproviders:\n  - { name: a, driver: codex }\n');
  const words = `${file} was not there when the daemon read its configuration; run: drivebay reload\n`;
  expect((await own.run('providers', 'status')).stderr).toContain(`\n${words}`);
  const { code, stderr } = await own.run('run', 'go');
  expect([code, stderr]).toEqual([1, expect.stringContaining(`\n  ${words}`)]);
});

test('what a driver warns of is a note, and no line of a log', async () => {
  const own = tempHome();
  const code = `module.exports = (context) => (context.log.warn('this is old', { since: 1 }), ${HEALTHY});`;
  own.plugin('old', { code });
  const { stderr } = await own.run('providers', 'add', 'old');
  expect(stderr.match(/.*this is old.*/g)).toEqual(['warning: old: this is old']);
});
