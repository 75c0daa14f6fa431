import { cpSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import nodeModule from 'node:module';
import { dirname } from 'node:path';
import { productVersion } from '../../core/package';
import { LiveCli } from '../setup/live-cli';
import { cliPath } from '../setup/run-cli';
import { tempHome } from '../setup/temp-home';

const home = tempHome();

/** Runs a path as a shell would: by its `#!` line. */
const execute = (path: string, words: string[], cwd: string) =>
  new LiveCli(words, { env: home.environment(), cwd }, [path]).endInput().end();

const version = { code: 0, stdout: `${productVersion}\n`, stderr: '' };

test('bin/cli is executable and runs from any working directory', async () => {
  expect(await execute(cliPath, ['--version'], '/')).toEqual(version);
});

test('it runs through a symbolic link, and through a link to a link in a folder with a space', async () => {
  mkdirSync(`${home.directory}/my bin`);
  symlinkSync(cliPath, `${home.directory}/drivebay`);
  symlinkSync('../drivebay', `${home.directory}/my bin/drivebay`);
  const [one, two] = await Promise.all([
    execute(`${home.directory}/drivebay`, ['--version'], home.directory),
    execute('./drivebay', ['--version'], `${home.directory}/my bin`),
  ]);
  expect([one, two]).toEqual([version, version]);
});

test('a checkout that was installed without its compiler says how to get it', async () => {
  const checkout = `${home.directory}/checkout`;
  cpSync(dirname(cliPath), `${checkout}/bin`, { recursive: true });
  mkdirSync(`${checkout}/core`);
  const { code, stderr } = await execute(`${checkout}/bin/cli`, ['--version'], home.directory);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`run \`npm ci --include=dev\` in ${checkout}\n`)]);
});

test('a reader that leaves early causes no stack trace', async () => {
  const cli = new LiveCli(['schema'], { env: home.environment() });
  cli.child.stdout!.destroy();
  expect(await cli.end()).toMatchObject({ code: 0, stderr: '' });
});

/** The tests keep the code themselves, so without what makes them do that. */
const keepCode = (more?: Record<string, string>) =>
  new LiveCli(['--version'], { env: home.environment({ NODE_OPTIONS: '', ...more }) }).endInput().end();

test('compiled code stays in the user’s own cache, for the user only, from Node 22 on', async () => {
  expect(await keepCode()).toEqual(version);
  const { mode } = statSync(`${home.directory}/.cache/drivebay/code`, { throwIfNoEntry: false }) ?? {};
  expect(mode && mode & 0o777).toBe('enableCompileCache' in nodeModule ? 0o700 : undefined);
});

(existsSync('/proc/self') ? test : test.skip)('no code is kept where no folder can be made', async () => {
  expect(await keepCode({ XDG_CACHE_HOME: '/proc/drivebay-nowhere' })).toEqual(version);
});
