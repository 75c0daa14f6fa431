import { setFlagsFromString } from 'node:v8';

/**
 * Runs work of some milliseconds that nothing follows. V8 would compile its loops meanwhile, on another thread: that takes as
 * long as the work, and comes too late for it. Afterwards the flags are as before, as bin/code-cache.js counts on.
 */
export function withoutOptimizer<T>(work: () => T): T {
  setFlagsFromString('--no-opt');
  try {
    return work();
  } finally {
    setFlagsFromString('--opt');
  }
}
