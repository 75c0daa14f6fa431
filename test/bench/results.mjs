export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The smallest value that so many percent of all do not exceed. */
export function percentile(values, percent) {
  return values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1];
}

/** The samples so far. The numbers of a sample belong together: they were taken right after one another. */
export class Results {
  samples = {};
  notMeasured = {};
  #failed = { floor: 0, gateway: 0, direct: 0 };

  /** `numbers` has `floor` and `gateway`, and `base` where a third way or process is the yardstick. */
  add(metric, numbers) {
    (this.samples[metric] ??= []).push(numbers);
  }

  /** The same results, with metrics of a driver's own. */
  of(driver) {
    return {
      add: (metric, numbers) => this.add(`${driver}.${metric}`, numbers),
      countFailed: (target, count) => this.countFailed(target, count),
    };
  }

  countFailed(target, count) {
    this.#failed[target] += count;
  }

  giveUp(scenario, error) {
    this.notMeasured[scenario] = error.message;
  }

  /** Says how many answers were not what they should be, as one more metric. */
  finish() {
    const { floor, gateway, direct } = this.#failed;
    this.add('failed', { base: direct, floor, gateway });
  }
}
