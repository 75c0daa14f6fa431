import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { bareNodeMs } from './start-scenarios.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const PROCESSES = 1000;

/** Runs a command of the program to its end, and returns how long that took. */
function commandMs(words, { env, cwd }) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'bin', 'cli'), ...words], { stdio: 'ignore', env, cwd });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve(performance.now() - started);
      else reject(new Error(`drivebay ${words.join(' ')} ended with ${code}`));
    });
  });
}

/** The commands that people wait for, against Node itself starting and ending; and what events cost a request. */
export async function measureDaemon(targets, plan, results) {
  const home = targets.makeHome();
  writeRecords(join(home.env.XDG_STATE_HOME, 'drivebay', 'processes'));
  // The first time, the files are not in the system's memory, and Node 22 has not kept the compiled code yet.
  for (const words of [
    ['ps', '-a'],
    ['daemon', 'start'],
    ['ps', '-a'],
    ['daemon', 'stop'],
  ])
    await commandMs(words, home);
  for (let run = 0; run < plan.commands; run += 1) {
    const base = await bareNodeMs();
    results.add('listProcesses', { base, gateway: await commandMs(['ps', '-a'], home) });
    const other = await bareNodeMs();
    results.add('startDaemon', { base: other, gateway: await commandMs(['daemon', 'start'], home) });
    await commandMs(['daemon', 'stop'], home);
  }
  results.add('eventCost', { gateway: eventMicroseconds(targets.makeHome().cwd, plan.events) });
}

/** As a daemon leaves them: two lines of the index for each process, and a file. */
function writeRecords(folder) {
  mkdirSync(folder, { recursive: true });
  const index = [];
  for (let pid = 1; pid <= PROCESSES; pid += 1) {
    const time = Date.now() - 60_000;
    const origin = {
      ...{ pid, uuid: `0c9b0d52-0000-4000-8000-${String(pid).padStart(12, '0')}`, daemon: '4026531836.1.1' },
      ...{
        intent: `Find out why test ${pid} fails, mend it, and say what it was`,
        workingDirectory: '/home/me/project',
      },
    };
    const at = {
      createdAt: time,
      startedAt: time,
      provider: 'agent',
      driver: 'agent',
      model: 'm',
      steps: 3,
      costUsd: 0.1,
    };
    const usage = { inputTokens: 12_345, outputTokens: 678 };
    const end = { state: 'done', reason: 'finished' };
    index.push({ ...origin, state: 'created', ...at, usage: { inputTokens: 0, outputTokens: 0 } });
    index.push({ ...origin, state: 'done', ...at, endedAt: time + 50_000, usage, end });
    const events = [
      { seq: 0, time, type: 'created', ...origin },
      { seq: 1, time: time + 50_000, type: 'exit', ...end },
    ];
    writeFileSync(join(folder, `${pid}.ndjson`), toLines(events));
  }
  writeFileSync(join(folder, 'index.ndjson'), toLines(index));
}

function toLines(values) {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** The CPU time that the stream of events takes of a chat at the gateway, without a watcher. */
function eventMicroseconds(folder, count) {
  const outfile = join(folder, 'event-stream.cjs');
  const entryPoints = [join(root, 'core', 'record', 'event-stream.ts')];
  buildSync({ entryPoints, bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'silent' });
  const { EventStream } = createRequire(import.meta.url)(outfile);
  const stream = new EventStream();
  const publish = (request, event) => void stream.publish({ kind: 'request', request, event });
  let before;
  for (let at = -count; at < count; at += 1) {
    if (at === 0) before = process.cpuUsage();
    const request = `request-${at}`;
    publish(request, { type: 'start', provider: 'bench', model: 'm', stream: false });
    publish(request, { type: 'end', status: 200, ms: 3, usage: { inputTokens: 10, outputTokens: 5 } });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
