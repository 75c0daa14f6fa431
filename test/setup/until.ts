import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 10;
/** Ends a hang, and nothing else: less than what a test may take, so that the test that hangs says where. */
const LIMIT_MS = 50_000;

/** Resolves when it holds. For what makes no event, such as a file or a process of another program. */
export async function until(holds: () => unknown): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${LIMIT_MS / 1000} s: ${String(holds)}`);
    await pause(LOOK_EVERY_MS);
  }
}
