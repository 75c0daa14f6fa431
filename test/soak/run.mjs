// Hours of load in minutes; README.md tells what it does and what it holds the program to.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasProc } from '../bench/process-usage.mjs';
import { readOptions } from '../bench/read-options.mjs';
import { parseOptions, USAGE } from './options.mjs';
import { makeReport } from './report.mjs';
import { soak } from './soak.mjs';
import { Stage } from './stage.mjs';

/** What starts, ends and the checks may take besides the load. It ends a hang, and nothing else. */
const BESIDES_MS = 300_000;
/** Of one rule; the report has them all. */
const SHOWN = 5;

function build() {
  const file = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'bin', 'build.js');
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the program does not compile:\n${stderr}`);
}

async function main() {
  const options = readOptions(parseOptions, USAGE);
  if (options.help) return console.log(USAGE);
  if (!hasProc) throw new Error('the soak needs Linux: it looks for processes and open files in /proc');
  build();
  const stage = new Stage();
  const say = (text) => process.stderr.write(`${text}\n`);
  const timer = setTimeout(
    () => {
      say(`soak: not at its end in time; last: ${stage.at}`);
      process.exit(1);
    },
    options.seconds * 1000 + BESIDES_MS,
  );
  stage.onStep = (text) => say(`soak: ${text}`);
  const result = await soak(stage, options);
  clearTimeout(timer);
  writeFileSync(options.report, makeReport(result));
  const { figures, rules } = result;
  for (const [name, value] of figures) console.log(`${name}: ${value}`);
  for (const { name, found } of rules) {
    console.log(`${found.length > 0 ? 'FAILED' : 'passed'} ${name}`);
    for (const fault of found.slice(0, SHOWN)) console.log(`  ${fault}`);
    if (found.length > SHOWN) console.log(`  and ${found.length - SHOWN} more, in ${options.report}`);
  }
  const failed = rules.filter(({ found }) => found.length > 0).length;
  // As jest says it.
  const counts = [failed && `${failed} failed`, `${rules.length - failed} passed`, `${rules.length} total`];
  console.log(`Tests: ${counts.filter(Boolean).join(', ')}`);
  process.exit(failed === 0 ? 0 : 1);
}

main().catch((error) => {
  console.error(`soak: ${error.message}`);
  process.exit(1);
});
