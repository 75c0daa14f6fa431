import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const YOUNG_LIMIT_BYTES = 8 * 1024 * 1024;

/** Code that V8 keeps for the next start (bin/code-cache.js, 3 s) counts only under the flags of a start. */
const AFTER_MS = 4_000;

/**
 * V8 lets a heap grow with garbage before it collects, and a process that holds thousands of quiet streams fills all of
 * that room: 20 kB for each of 2,000 streams. Two limits take it back, with the same CPU time per request:
 *
 * - Old objects: the next collection comes when the heap is a fifth larger than what the last one left (V8: up to four
 *   times as large). The heap is small, so that a collection costs little.
 * - Young objects: a quarter of V8's 32 MB serves as many requests. The size itself can only be given when Node
 *   starts; its growth can be ended at any time.
 */
export function limitHeapGrowth(): void {
  setTimeout(setLimits, AFTER_MS).unref();
}

function setLimits(): void {
  setFlagsFromString('--heap-growing-percent=20');
  const { PerformanceObserver } = require('node:perf_hooks') as typeof import('node:perf_hooks');
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    if (!young || young.space_size < YOUNG_LIMIT_BYTES) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}
