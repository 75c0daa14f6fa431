import { conformanceCases, type ConformanceOptions } from 'drivebay/testing';

/**
 * Runs every case as a test of its own, several at once: they wait more than they work. The excluded ones show up as
 * skipped, each with its reason.
 */
export function hostCases(options: ConformanceOptions): void {
  for (const { id, name, excluded, run } of conformanceCases(options)) {
    if (excluded === undefined) test.concurrent(`${id}: ${name}`, run);
    else test.skip(`${id}: ${excluded}`, run);
  }
}
