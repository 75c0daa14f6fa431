import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
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

test('compiled code stays in the user’s own cache, from Node 22 on', async () => {
  await execute(cliPath, ['--version'], home.directory);
  const keepsCode = 'enableCompileCache' in nodeModule;
  expect(existsSync(`${home.directory}/.cache/drivebay/code`)).toBe(keepsCode);
});
