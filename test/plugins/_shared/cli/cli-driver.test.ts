import { HANG } from 'drivebay/testing';
import { start } from '../../gamma-cli/harness';

test('core knows the program of a call by its signal, until nothing of the program is left', async () => {
  const harness = await start();
  try {
    harness.cli.script([{ ignore: 'SIGTERM' }, { type: 'init' }, HANG]);
    const abort = new AbortController();
    const failed = harness.failure({}, { signal: abort.signal });
    await harness.cli.until(() => harness.cli.runs.some(({ stdin }) => stdin !== undefined));
    abort.abort(Object.assign(new Error('killed'), { code: 'killed' }));
    await failed;
    expect(harness.cli.processes()).not.toEqual([]);
    await harness.open.programs.ended(abort.signal);
    const { pid } = harness.run;
    expect(() => process.kill(pid, 0)).toThrow(expect.objectContaining({ code: 'ESRCH' }));
  } finally {
    await harness.close();
  }
});
