import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dieAtStep } from './die-at-step';
import { WORDS, writers } from './writers';

// node program.js TASK WRITER FOLDER [STEP]; what is to be written comes on stdin.

const [task, name, folder, step] = process.argv.slice(2) as [string, string, string, string?];
const writer = writers[name]!;

/** What is read after each thing that happens to a disk of its own, as a line. */
async function onBadDisk(): Promise<void> {
  const tell = async () => console.log(JSON.stringify(await writer.read(folder)));
  const tryTo = (word: string) => writer.write(folder, [word]).catch(() => undefined);
  await writer.write(folder, [WORDS.old]);
  await tell();
  const filler = join(folder, 'filler');
  try {
    for (;;) appendFileSync(filler, Buffer.alloc(4096));
  } catch {
    await tryTo(WORDS.new);
    await tell();
  }
  rmSync(filler);
  await writer.write(folder, [WORDS.next]);
  await tell();
  execFileSync('mount', ['-o', 'remount,ro', folder]);
  await tryTo(WORDS.late);
  await tell();
}

async function go(): Promise<void> {
  if (task === 'bad-disk') return onBadDisk();
  const words = task === 'killed' ? [WORDS.new] : readFileSync(0, 'utf8').split('\n');
  if (task === 'killed') await dieAtStep(Number(step));
  await writer.write(folder, words);
}

void go();
