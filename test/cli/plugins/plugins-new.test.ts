import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../../setup/run-cli';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();
const write = (...words: string[]) => home.run('plugins', 'new', ...words);
const folder = join(home.directory, 'drivebay-driver-grey-parrot');

test('writes a driver under its name, and says what to do next', async () => {
  const { code, stdout, stderr } = await write('grey-parrot', '--kind', 'http');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^wrote drivebay-driver-grey-parrot: manifest\.json, /);
  expect(stdout).toMatch(/ {2}cd drivebay-driver-grey-parrot\n {2}npm install\n {2}npm test\n/);
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(texts.join('\n')).not.toMatch(/my.driver/i);
  expect(texts.join('\n')).toContain('GREY_PARROT_API_KEY');
});

test('writes over nothing, unless it is told to', async () => {
  const manifest = home.write('drivebay-driver-grey-parrot/manifest.json', 'mine');
  const refused = await write('grey-parrot', '--kind', 'cli', '--ts');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/has manifest\.json, package\.json.* already; nothing was written\n.*--force/);
  expect(readFileSync(manifest, 'utf8')).toBe('mine');
  expect(existsSync(join(folder, 'tsconfig.json'))).toBe(false);
  expect((await write('grey-parrot', '--kind', 'cli', '--force')).code).toBe(0);
  expect(JSON.parse(readFileSync(manifest, 'utf8'))).toMatchObject({ driver: 'grey-parrot', kind: 'cli' });
});

// Below /proc nothing can be made, and the system says that the folder is not there.
(existsSync('/proc/self') ? test : test.skip)('where no folder can be made, it ends and says so', async () => {
  const { code, stderr } = await home.runIn('/proc', ['plugins', 'new', 'macaw', '--kind', 'http']);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^error: \/proc\/drivebay-driver-macaw cannot be written: E[A-Z]+: .*\n {2}run this in another folder\n$/,
    ),
  ]);
});

test('where a file cannot be written, it says how to go on and leaves nothing of its own', async () => {
  // The system refuses every file above a few blocks.
  const node = home.write('limited', `#!/bin/sh\nulimit -f 1\nexec '${process.execPath}' "$@"\n`);
  chmodSync(node, 0o755);
  const limited = (name: string, ...words: string[]) =>
    runCli(['plugins', 'new', name, '--kind', 'http', ...words], { env: home.environment(), node });
  const place = join(home.directory, 'drivebay-driver-macaw');
  const { code, stderr } = await limited('macaw');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(`^error: ${place}/.+ cannot be written: EFBIG.*\n  run this in another folder\n$`),
  });
  expect(existsSync(place)).toBe(false);
  const manifest = home.write('drivebay-driver-macaw/package.json', '{}');
  const own = home.write('drivebay-driver-macaw/index.js', 'mine');
  expect((await limited('macaw', '--force')).code).toBe(1);
  expect(readdirSync(place).sort()).toEqual(['index.js', 'package.json']);
  expect([manifest, own].map((file) => readFileSync(file, 'utf8'))).toContain('mine');
});

test('a file in the place of its folder is named', async () => {
  const file = home.write('drivebay-driver-finch', '');
  expect(await write('finch', '--kind', 'http')).toMatchObject({
    code: 1,
    stderr: `error: ${file} cannot be written: EEXIST: file already exists\n  run this in another folder\n`,
  });
});

test('a program that writes plain text has a form of its own, and a server has not', async () => {
  expect((await write('poet', '--kind', 'cli', '--plain')).code).toBe(0);
  const text = readFileSync(join(home.directory, 'drivebay-driver-poet/index.js'), 'utf8');
  expect(text).toContain('program.bytes()');
  expect(await write('poets', '--kind', 'http', '--plain')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--plain is about the output of a program'),
  });
});

test('a name that cannot be one is refused with one that can, and nothing is written', async () => {
  const before = readdirSync(home.directory);
  const cases: [name: string, says: RegExp][] = [
    ['Grey Parrot', /use: grey-parrot/],
    ['../parrot', /use: parrot/],
    ['drivebay-driver-parrot', /use: parrot/],
    ['42', /for example/],
    ['sk-proj-LEAKLEAKLEAKabcdef1234567890abcdef', /^(?![^]*leak)[^]*for example/],
    ['', /for example/],
    ['chat-compat', /comes with drivebay/],
    ['openai', /comes with drivebay/],
    ['a'.repeat(300), /cannot be the name/],
  ];
  for (const [name, says] of cases) {
    const stderr = expect.stringMatching(says) as string;
    expect(await write(name, '--kind', 'http')).toMatchObject({ code: 2, stderr });
  }
  expect(readdirSync(home.directory)).toEqual(before);
});

test('a name that looks like a key is not shown', async () => {
  const { code, stderr } = await write('sk-proj-0123456789abcdef', '--kind', 'http');
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('looks like a key') as string });
  expect(stderr).not.toContain('sk-proj');
});

test('the kind has to be given, and to be one of the two', async () => {
  const [none, other] = await Promise.all([write('parrot'), write('parrot', '--kind', 'tcp')]);
  expect(none).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--kind http; that runs a program: drivebay plugins new parrot --kind cli'),
  });
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('http, cli') });
});
