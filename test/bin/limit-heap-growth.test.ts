import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const file = resolve(__dirname, '../../bin/limit-heap-growth.js');

/** What V8 compares compiled code by, before the limits, under them, and with the flags of the start. */
const PRINT_TAGS = `
  const { cachedDataVersionTag: tag } = require('node:v8');
  const { limitHeapGrowth, withFlagsOfStart } = require(${JSON.stringify(file)});
  const tags = [tag()];
  limitHeapGrowth();
  const kept = [];
  const timer = setInterval(() => {
    for (let count = 0; count < 100_000; count += 1) kept.push({ count });
    if (process.uptime() < 1) return;
    clearInterval(timer);
    console.log(JSON.stringify([...tags, tag(), withFlagsOfStart(tag), tag()]));
  }, 20);
`;

test('code is loaded and saved under the flags of the start, whatever limits the heap has by then', () => {
  const output = execFileSync(process.execPath, ['-e', PRINT_TAGS], { encoding: 'utf8' });
  const [atStart, limited, back, again] = JSON.parse(output) as number[];
  expect(limited).not.toBe(atStart);
  expect(back).toBe(atStart);
  expect(again).toBe(limited);
});
