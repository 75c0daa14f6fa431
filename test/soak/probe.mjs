/**
 * A driver that answers with what its process holds after a collection of garbage, and with how late the event loop was since the
 * load of the driver. The collections are left out of that. What the engine has compiled is left out of the memory: it grows for
 * many minutes of load, most of it outside of the spaces for code, and shrinks where a function has not run for a while.
 */
export const PROBE = `const { monitorEventLoopDelay } = require('node:perf_hooks');
const turn = require('node:timers/promises').setImmediate;
const v8 = require('node:v8');
v8.setFlagsFromString('--expose-gc');
const gc = require('node:vm').runInNewContext('gc');
const RESOLUTION_MS = 10;
const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
loop.enable();
const leaked = [];
let blocking;
const block = () => { for (const end = Date.now() + 300; Date.now() < end; ); };
module.exports = () => ({
  async check() {},
  async *chat({ messages }) {
    const text = messages.at(-1).parts.map((part) => part.text).join('');
    // For a soak that has to fail.
    if (text.includes('leak')) leaked.push(Buffer.alloc(2 * 2 ** 20).fill(1).toString());
    // Often, too: a stop is one delay, and p99 is that of all delays. Node counts the time from the end of the last one.
    if (text.includes('block')) blocking ??= setInterval(block, 300).unref();
    loop.disable();
    // What a finalizer lets go of is garbage of the next round.
    for (let round = 0; round < 4; round += 1) { gc(); await turn(); }
    const { heapUsed, external } = process.memoryUsage();
    const code = v8.getHeapCodeStatistics();
    const live = heapUsed + external - code.code_and_metadata_size - code.bytecode_and_metadata_size;
    const late = Math.max(0, loop.percentile(99) / 1e6 - RESOLUTION_MS);
    loop.enable();
    yield { type: 'text', text: JSON.stringify({ live, late, samples: loop.count }) };
    yield { type: 'finish', reason: 'stop' };
  },
});`;
