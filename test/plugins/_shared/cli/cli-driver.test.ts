import type { ChatEvent } from 'drivebay/plugin';
import { HANG } from 'drivebay/testing';
import { start } from '../../gamma-cli/harness';
import { chatRequest, newCall } from '../../harness';

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

test('a run that fails tells what it has used', async () => {
  const harness = await start();
  try {
    const stats = { input_tokens: 1000, output_tokens: 10, total_tokens: 1017, cached: 900 };
    harness.cli.script([{ type: 'init' }, { type: 'result', status: 'error', error: { message: 'no' }, stats }]);
    const usages: ChatEvent[] = [];
    const asking = async () => {
      for await (const event of harness.driver.chat(chatRequest(), newCall())) {
        if (event.type === 'usage') usages.push(event);
      }
    };
    await expect(asking()).rejects.toThrow('no');
    expect(usages).toMatchObject([{ inputTokens: 1000, outputTokens: 17, cachedInputTokens: 900 }]);
  } finally {
    await harness.close();
  }
});
