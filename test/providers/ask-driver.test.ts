import type { Driver, Logger } from '../../core/contract/api';
import { makeProvider, quiet } from './settings';

const lines: string[] = [];
const log: Logger = { debug: (line) => void lines.push(line), info: quiet, warn: quiet, error: quiet };

/** A provider of a driver in plain JavaScript, which nothing holds against the contract. */
const provide = (driver: Record<string, () => Promise<unknown>>) =>
  makeProvider({ makeDriver: () => Promise.resolve(driver as unknown as Driver), log });

test.each([
  ['8000', 'the text "8000"'],
  [null, 'null'],
  [0, 'the number 0'],
  [1.5, 'the number 1.5'],
  [[8000], 'a list'],
])('a context window of %j is a mistake of the driver, and named', async (contextWindow, found) => {
  const models = provide({ models: () => Promise.resolve(['a', { name: 'b', contextWindow }]) }).models();
  await expect(models).rejects.toMatchObject({
    kind: 'driver_bug',
    message: expect.stringContaining(
      `its models() has to give b a whole number as contextWindow, or none, found ${found}`,
    ),
  });
});

test.each([
  ['12', 'the text "12"'],
  [{ tokens: 12 }, 'an object'],
  [-1, 'the number -1'],
  [null, 'null'],
])('a count of %j gives an estimate, and the log says why', async (count, found) => {
  lines.length = 0;
  const provider = provide({ countTokens: () => Promise.resolve(count) });
  const request = { stream: false, messages: [], extra: {} };
  expect(await provider.countTokens(request, new AbortController().signal)).toBeUndefined();
  expect(lines).toEqual([
    `tokens are estimated: its countTokens() has to resolve with a whole number from 0, found ${found}`,
  ]);
});
