// Measures the gateway against a bare node:http proxy; README.md tells how to run it and how to read the table.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { judgeAll } from './goals.mjs';
import { Noise } from './noise.mjs';
import { USAGE, parseOptions } from './options.mjs';
import { missingPeers } from './peers.mjs';
import { makePlan } from './plan.mjs';
import { killAll } from './processes.mjs';
import { readOptions } from './read-options.mjs';
import { Results } from './results.mjs';
import { runRounds } from './rounds.mjs';
import { formatTable } from './table.mjs';
import { Targets } from './targets.mjs';

function say(text) {
  process.stderr.write(text.endsWith(':') ? `\n${text}` : ` ${text}`);
}

/** Ends every process and removes every file of the bench, however it ends. */
function cleanUpAtExit(targets) {
  process.on('exit', () => {
    killAll();
    targets.removeFolders();
  });
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
    process.on(signal, () => process.exit(code));
  }
}

function print({ rows, results, plan, options, skipped, noise }) {
  console.log(`\n${formatTable(rows)}\n`);
  console.log('All columns are medians; the result is the median of ratios or differences of samples taken in turn,');
  console.log('range their lowest and highest. CPU and memory are those of the process with its children.');
  console.log(noise);
  if (plan.note) console.log(`note: ${plan.note}`);
  for (const { note } of skipped) console.log(`note: ${note}`);
  if (options.quick) console.log('note: a quick run shows that everything works; its numbers mean nothing');
  if (options.selfCheck) console.log('note: the gateway column is a second floor');
  for (const [scenario, reason] of Object.entries(results.notMeasured)) console.log(`${scenario}: ${reason}`);
}

async function main() {
  const options = readOptions(parseOptions, USAGE);
  if (options.help) return console.log(USAGE);
  const plan = makePlan(options);
  const skipped = missingPeers(options.scenarios);
  // A second floor tells nothing of itself.
  const isLeftOut = (name) => skipped.some((peer) => peer.name === name) || (options.selfCheck && name === 'overhead');
  const scenarios = options.scenarios.filter((name) => !isLeftOut(name));
  const targets = new Targets(options);
  cleanUpAtExit(targets);
  const results = new Results();
  const noise = new Noise();
  targets.prepare();
  await targets.startUpstream();
  await runRounds({ targets, plan, scenarios, results, noise, say });
  await targets.upstream.stop();
  results.finish();
  const rows = judgeAll(results, scenarios);
  print({ rows, results, plan, options, skipped, noise: noise.summary() });
  if (options.json) {
    const machine = { node: process.version, platform: process.platform, processors: cpus().length };
    const { samples, notMeasured } = results;
    writeFileSync(options.json, JSON.stringify({ machine, options, plan, rows, samples, notMeasured }, null, 2) + '\n');
  }
  const missed = options.strict && rows.some(({ verdict }) => verdict === 'MISSED');
  process.exitCode = missed || Object.keys(results.notMeasured).length > 0 ? 1 : 0;
}

main().catch((error) => {
  console.error(`\nbench: ${error.message}`);
  process.exit(1);
});
