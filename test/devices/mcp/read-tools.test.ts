import { setTimeout as pause } from 'node:timers/promises';
import { readTools } from '../../../core/devices/mcp/read-tools';

test('all pages of a list share one time limit', async () => {
  const given: number[] = [];
  const ask = async (page = '0', leftMs = 0) => {
    given.push(leftMs);
    await pause(20);
    return { tools: [], nextCursor: String(Number(page) + 1) };
  };
  await expect(readTools(ask, 100)).rejects.toThrow('its list of tools is not complete after 0.1 s');
  expect(given.length).toBeLessThan(10);
  expect(given).toEqual([...given].sort((a, b) => b - a));
});

test('a tool whose schema would overflow the stack of its readers is left out, and the others stay', async () => {
  const deep: unknown = JSON.parse(`${'{"allOf":['.repeat(5_000)}{}${']}'.repeat(5_000)}`);
  const tools = ['deep', 'flat'].map((name) => ({ name, inputSchema: name === 'deep' ? deep : { type: 'object' } }));
  expect(await readTools(() => Promise.resolve({ tools }), 10_000)).toEqual({
    tools: [{ name: 'flat', parameters: { type: 'object' } }],
    warnings: ['tool "deep" is left out: its inputSchema is nested deeper than 200 levels'],
  });
});
