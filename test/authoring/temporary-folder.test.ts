import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../setup/repository';
import { tempFolder } from '../setup/temp-folder';

const folder = tempFolder();
const FOREIGN = 'fake cli-1.1.1-abcdef';
const started: ChildProcess[] = [];
afterAll(() => started.forEach((program) => program.kill()));

/** An author's program that has a fake CLI, and then does more. */
function begin(more: string): ChildProcess {
  const kit = JSON.stringify(join(repository, 'dist/testing.js'));
  const program = `require(${kit}).FakeCli.start().then(async (cli) => { ${more} })`;
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(process.execPath, ['-e', program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  return child;
}

/** The folder as a program of another host would have named it. */
const ofAnotherHost = (name: string) => name.replace(/^(fake cli-)\w{8}-/, '$100000000-');

test('what an interrupted run has left is removed by the next one, and what belongs to a run at work stays', async () => {
  // Of a program in another container: nobody here knows whether it runs.
  mkdirSync(join(folder, FOREIGN));
  const interrupted = begin("process.kill(process.pid, 'SIGINT')");
  expect(await once(interrupted, 'exit')).toEqual([null, 'SIGINT']);
  const left = readdirSync(folder).filter((name) => name !== FOREIGN);
  expect(left).toHaveLength(1);
  // Its owner has ended only here.
  mkdirSync(join(folder, ofAnotherHost(left[0]!)));

  const atWork = begin("process.stdout.write('ready')");
  await once(atWork.stdout!, 'data');
  const found = readdirSync(folder);
  expect(found).toHaveLength(3);
  expect(found).not.toContain(left[0]);

  await once(begin('await cli.close()'), 'exit');
  expect(readdirSync(folder)).toEqual(found);
});
