import { readFileSync } from 'node:fs';
import type { ProcessSummary } from '../../core/record/process-summary';
import { DashboardClient } from '../dashboard/dashboard-client';
import { DaemonHome } from '../setup/daemon-home';
import { until } from '../setup/until';

const STATE = '.local/state/drivebay';

/** The record of a process that has ended well, in lines. */
function linesOf(pid: number): string[] {
  const origin = { uuid: `u-${pid}`, daemon: 'gone', intent: `intent ${pid}`, workingDirectory: '/w' };
  const time = Date.now();
  const events = [
    { seq: 0, time, type: 'created', pid, ...origin },
    { seq: 3, time, type: 'exit', state: 'done', reason: 'finished' },
  ];
  return events.map((event) => JSON.stringify(event));
}

const home = new DaemonHome();
const index = `${home.state}/processes/index.ndjson`;
const [created, exit] = linesOf(2);
home.write(`${STATE}/processes/2.ndjson`, `${created}\nrubbish\n{"seq":2,\n${exit}\n`);
home.write(`${STATE}/processes/3.ndjson`, `${linesOf(3).join('\n')}\n`);
home.write(`${STATE}/processes/4.ndjson`, '{"seq":0,');
home.write(`${STATE}/processes/5.ndjson/file`, 'a folder is in the place of the record');

async function all(): Promise<number[]> {
  const { text } = await home.call('GET', '/v1/processes?all=true');
  return (JSON.parse(text) as { processes: ProcessSummary[] }).processes.map(({ pid }) => pid);
}

/** While the daemon runs, and after it has read the index. */
const loseIndex = () => home.write(`${STATE}/processes/index.ndjson`, 'rubbish\n{"pid":2,"form":"newer"}\n');

beforeAll(async () => {
  await home.start();
  expect(await all()).toEqual([2, 3]);
});

test('where the index is lost every list has the processes that have a record', async () => {
  loseIndex();
  const { stdout } = await home.run('__complete', '--', 'trace', '');
  expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(['words', '3', '2', '']);
  const listed = JSON.parse((await home.run('ps', '-a', '--json')).stdout) as { processes: ProcessSummary[] };
  expect(listed.processes.map(({ pid }) => pid)).toEqual([2, 3]);
  expect((await home.call('GET', '/v1/processes/u-3')).status).toBe(200);
  loseIndex();
  const state = await (await DashboardClient.open(home)).state();
  expect(state.processes.map(({ pid }) => pid)).toEqual([3, 2]);
});

test('a daemon writes into the index again what it has found without it', async () => {
  loseIndex();
  // It may still be at work on what was lost before: then a later list has it written.
  await until(async () => {
    expect(await all()).toEqual([2, 3]);
    return /\n\{"pid":2,"intent".*\n\{"pid":3,"intent".*\n$/.test(readFileSync(index, 'utf8'));
  });
});
