import { readFileSync } from 'node:fs';
import { DaemonHome } from '../../setup/daemon-home';
import { until } from '../../setup/until';

const STATE = '.local/state/drivebay';

/** What a process leaves that has ended well. */
function record(pid: number): string {
  const origin = { uuid: `u-${pid}`, daemon: 'gone', intent: `intent ${pid}`, workingDirectory: '/w' };
  // A daemon drops old records.
  const time = Date.now();
  const events = [
    { seq: 0, time, type: 'created', pid, ...origin },
    { seq: 1, time, type: 'exit', state: 'done', reason: 'finished' },
  ];
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

describe('an index of processes that cannot be read', () => {
  const home = new DaemonHome();
  const index = home.write(`${STATE}/processes/index.ndjson`, '{"pid":2,"form":"newer"}\n\0\0\0\n');
  home.write(`${STATE}/processes/2.ndjson`, record(2));
  home.write(`${STATE}/processes/3.ndjson`, record(3));
  home.write(`${STATE}/processes/4.ndjson`, '{"seq":0,');

  test('ps shows the processes by their records', async () => {
    const { code, stdout, stderr } = await home.run('ps', '-a', '--json');
    const { processes } = JSON.parse(stdout) as { processes: unknown[] };
    expect([code, processes]).toEqual([0, [2, 3].map((pid) => expect.objectContaining({ pid, state: 'done' }))]);
    expect(stderr).toBe('');
    expect((await home.run('trace', '3')).stdout).toContain('intent 3');
  });

  test('the next daemon writes the index anew', async () => {
    await home.start();
    await until(() => /^(\{"pid":\d+,"intent".*\n){2}$/.test(readFileSync(index, 'utf8')));
  });
});
