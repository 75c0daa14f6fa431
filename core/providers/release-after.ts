import { waitAtMost } from '../contract/wait-at-most';
import type { Slots } from '../limits/slots';

/** How long a call may keep its slot after its answer, when its driver does not come to an end. */
const STUCK_AFTER_MS = 30_000;

/** The driver may work on after the answer, and keeps the slot. A driver that never ends loses it after a while. */
export function releaseAfter(running: Promise<void> | undefined, slots: Slots): void {
  if (!running) {
    slots.release();
    return;
  }
  void waitAtMost(STUCK_AFTER_MS, running).then(() => slots.release());
}
