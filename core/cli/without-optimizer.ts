import { setFlagsFromString } from 'node:v8';

/** Of V8; in Node 22 `--opt` does not take `--no-opt` back. */
const V8_DEFAULT = 61_440;

/**
 * Runs work of some milliseconds that nothing follows. V8 would compile its loops meanwhile, on another thread: that takes as
 * long as the work, and comes too late for it. Afterwards the flags are as before, as bin/code-cache.js counts on.
 */
export function withoutOptimizer<T>(work: () => T): T {
  setFlagsFromString('--max-optimized-bytecode-size=0');
  try {
    return work();
  } finally {
    setFlagsFromString(`--max-optimized-bytecode-size=${V8_DEFAULT}`);
  }
}
