import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
/** Two readers share the time since the one before them. */
const KEEP_MS = 5_000;
const NS = 1e-9;

interface Delays {
  /** In seconds; absent before the first sample. */
  p50?: number;
  p99?: number;
  max?: number;
}

/** How late the event loop is, since the last look. The timer's own resolution is no delay. */
export class LoopDelay {
  private readonly histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private last: Delays = {};
  private takenAt = -Infinity;

  constructor() {
    this.histogram.enable();
  }

  take(): Delays {
    const { histogram } = this;
    const now = performance.now();
    if (now - this.takenAt < KEEP_MS || histogram.count === 0) return this.last;
    const late = (ns: number) => Math.max(0, ns * NS - RESOLUTION_MS / 1000);
    this.last = { p50: late(histogram.percentile(50)), p99: late(histogram.percentile(99)), max: late(histogram.max) };
    this.takenAt = now;
    histogram.reset();
    return this.last;
  }

  stop(): void {
    this.histogram.disable();
  }
}
