import { readFileSync } from 'node:fs';
import { DaemonHome } from '../../setup/daemon-home';
import { tempHome } from '../../setup/temp-home';
import { until } from '../../setup/until';

const STATE = '.local/state/drivebay';
const TURN = `${JSON.stringify({ time: Date.UTC(2026, 10, 21, 12), provider: 'p', costUsd: 0.5, ok: true })}\n`;
const HOW = 'if a newer drivebay has written it, update this one; if not, only a copy of the file has the rest';

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

describe('a ledger with lines that cannot be read', () => {
  const home = tempHome();
  const ledger = (text: string) => home.write(`${STATE}/usage/2026-11.ndjson`, text);

  test('usage does not say that nothing was used, and the answer in JSON stays JSON', async () => {
    const file = ledger('\0\0\0\n\n{"time":1,"provi');
    const stderr = `warning: 2 lines of ${file} cannot be read; ${HOW}\n`;
    expect(await home.run('usage')).toMatchObject({ code: 0, stderr });
    const { stdout, ...rest } = await home.run('usage', '--json');
    expect([JSON.parse(stdout), rest]).toEqual([
      { by: 'provider', usage: [] },
      { code: 0, stderr },
    ]);
  });

  test('lines of a newer version count as unread, and the others are added up', async () => {
    const file = ledger(`${TURN}{"time":${Date.UTC(2026, 10, 22)},"form":2}\n${TURN}`);
    const { stdout, stderr } = await home.run('usage', '--csv');
    expect(stdout).toContain('\r\np,2,');
    expect(stderr).toBe(`warning: 1 line of ${file} cannot be read; ${HOW}\n`);
    expect((await home.run('usage', '--reprice')).stderr).toContain(`warning: 1 line of ${file} cannot be read`);
  });

  test('a line that is known to be of another time is none of the range', async () => {
    ledger(`${TURN}{"time":${Date.UTC(2026, 10, 2)},"form":2}\n`);
    expect((await home.run('usage', '--from', '2026-11-20')).stderr).toBe('');
  });
});

test('a daemon tells usage which lines it could not read, too', async () => {
  const home = new DaemonHome();
  const file = home.write(`${STATE}/usage/2026-11.ndjson`, `${TURN}rubbish\n`);
  await home.start();
  expect((await home.run('usage')).stderr).toBe(`warning: 1 line of ${file} cannot be read; ${HOW}\n`);
});

describe('an index of processes that cannot be read', () => {
  const home = new DaemonHome();
  const index = home.write(`${STATE}/processes/index.ndjson`, '{"pid":2,"form":"newer"}\n\0\0\0\n');
  home.write(`${STATE}/processes/2.ndjson`, record(2));
  home.write(`${STATE}/processes/3.ndjson`, record(3));
  const torn = home.write(`${STATE}/processes/4.ndjson`, '{"seq":0,');

  test('ps shows the processes by their records, and says what cannot be read and what mends it', async () => {
    const { code, stdout, stderr } = await home.run('ps', '-a', '--json');
    const { processes } = JSON.parse(stdout) as { processes: unknown[] };
    expect([code, processes]).toEqual([0, [2, 3].map((pid) => expect.objectContaining({ pid, state: 'done' }))]);
    expect(stderr).toBe(
      `warning: 2 lines of ${index} cannot be read; the processes are known by their records; to write this file again: drivebay daemon start\n` +
        `warning: no process can be read from ${torn}; ${HOW}\n`,
    );
    expect((await home.run('trace', '3')).stdout).toContain('intent 3');
  });

  test('the command that it names writes the index anew', async () => {
    await home.start();
    await until(() => /^(\{"pid":\d+,"intent".*\n){2}$/.test(readFileSync(index, 'utf8')));
    expect((await home.run('ps')).stderr).not.toContain(index);
  });
});

test('where no record can be read, ps does not say that no process has run', async () => {
  const home = tempHome();
  home.write(`${STATE}/processes/index.ndjson`, 'rubbish\n');
  const file = home.write(`${STATE}/processes/1.ndjson`, 'rubbish\n');
  const { stderr } = await home.run('ps', '-a');
  expect(stderr).toContain(`warning: no process can be read from ${file}; `);
  expect(stderr).not.toContain('has run');
  const traced = await home.run('trace', '1');
  expect(traced).toEqual({ code: 1, stdout: '', stderr: `error: process 1 cannot be read from ${file}\n  ${HOW}\n` });
});
