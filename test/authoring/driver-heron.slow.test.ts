import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../setup/repository';
import { runCli } from '../setup/run-cli';
import { tempHome } from '../setup/temp-home';

const home = tempHome();
const env = home.environment();

test('the example of a program that stays passes every case and check, cold and warm', async () => {
  const folder = join(home.directory, 'drivebay-driver-heron');
  cpSync(join(repository, 'docs/examples/driver-heron'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(repository, join(folder, 'node_modules/drivebay'));
  const { code, stdout: checked } = await runCli(['plugins', 'check', folder], { env });
  expect([code, checked.match(/^(failed|warning) .*/gm)]).toEqual([0, null]);
  const { stdout } = await promisify(execFile)('node', ['--test', '--test-reporter=tap'], { cwd: folder, env });
  expect(stdout.match(/^not ok .*/gm)).toBeNull();
  for (const state of ['cold', 'warm']) {
    expect(stdout.match(new RegExp(`^ok \\d+ - ${state} (?!.*# SKIP)`, 'gm'))!.length).toBeGreaterThan(80);
  }
});
