import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../setup/repository';
import { tempHome } from '../setup/temp-home';

const home = tempHome();

test('the example of a driver without a backend passes every case about it, and each other one has a reason', async () => {
  const folder = join(home.directory, 'driver-echo');
  cpSync(join(repository, 'docs/examples/driver-echo'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(repository, join(folder, 'node_modules/drivebay'));
  const program = ['--test', '--test-reporter=tap'];
  const { stdout } = await promisify(execFile)('node', program, { cwd: folder, env: home.environment() });
  expect(stdout.match(/^not ok .*/gm)).toBeNull();
  expect(stdout.match(/^ok (?!.*# SKIP)/gm)!.length).toBeGreaterThan(30);
  for (const reason of [
    'answer.split-bytes: .* # SKIP the backend has no bytes: the driver has no backend',
    'tools.calls: .* # SKIP the manifest does not declare the capability tools',
    'process.stderr: .* # SKIP it is about drivers of kind cli',
  ])
    expect(stdout).toMatch(new RegExp(`^ok \\d+ - ${reason}$`, 'm'));
});
