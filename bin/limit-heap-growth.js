'use strict';
const { getHeapSpaceStatistics, setFlagsFromString } = require('node:v8');

/** A start collects less garbage without them. */
const AFTER_MS = 250;
const YOUNG_LIMIT_BYTES = 8 * 1024 * 1024;

/** Each as it is set, and as V8 has it. */
const OLD = ['--heap-growing-percent=20', '--heap-growing-percent=0'];
const YOUNG = ['--semi-space-growth-factor=1', '--semi-space-growth-factor=2'];

const inForce = [];

/**
 * V8 lets a heap grow with garbage before it collects, and a process that holds thousands of quiet streams fills all of
 * that room: 25 kB for each of 2,000 streams. Two limits take it back, with the same CPU time per request:
 *
 * - Old objects: the next collection comes when the heap is a fifth larger than what the last one left (V8: up to four
 *   times as large). The heap is small, so that a collection costs little.
 * - Young objects: a quarter of V8's 32 MB serves as many requests. The size itself can only be given when Node
 *   starts; its growth can be ended at any time. What has grown does not shrink.
 */
function limitHeapGrowth() {
  setTimeout(() => {
    setLimit(OLD);
    limitYoung();
  }, AFTER_MS).unref();
}

function limitYoung() {
  const { PerformanceObserver } = require('node:perf_hooks');
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    if (!young || young.space_size < YOUNG_LIMIT_BYTES) return;
    setLimit(YOUNG);
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}

function setLimit(limit) {
  inForce.push(limit);
  setFlagsFromString(limit[0]);
}

/** Does work on compiled code: V8 takes what was saved only under the flags under which that was done. */
function withFlagsOfStart(work) {
  for (const [, before] of inForce) setFlagsFromString(before);
  try {
    return work();
  } finally {
    for (const [limit] of inForce) setFlagsFromString(limit);
  }
}

module.exports = { limitHeapGrowth, withFlagsOfStart };
