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

// Otherwise many short requests would have the price of a long context.
test('the usage of a run with tools has the number of its requests', async () => {
  const harness = await start();
  try {
    const stats = { input_tokens: 300_000, output_tokens: 10, total_tokens: 300_010 };
    const tool = { type: 'tool_use', tool_name: 'shell', parameters: {} };
    harness.cli.script([
      ...[{ type: 'init' }, tool, tool, { type: 'message', role: 'assistant', content: 'Done' }],
      { type: 'result', status: 'success', stats },
    ]);
    const events = await harness.chat();
    expect(events.filter(({ type }) => type === 'usage').at(-1)).toMatchObject({ inputTokens: 300_000, requests: 3 });
  } finally {
    await harness.close();
  }
});

test('a run that fails reports its usage', async () => {
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
