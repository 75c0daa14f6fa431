import type { ClientAccount } from '../../limits/limit-book';
import { QueueFullError, type Slots } from '../../limits/slots';
import type { Caller } from '../../providers/caller';

/** As long as the usual time limit of an agent. Few clients wait longer for an answer. */
const LONGEST_WAIT_MS = 300_000;

/** Runs a call under the limits of the client that asks. They are asked where a provider is, and a slot is waited for here. */
export function runLimited<Result>(
  { limits, slots }: ClientAccount,
  caller: Caller,
  run: () => Promise<Result>,
  longestWaitMs = LONGEST_WAIT_MS,
): Promise<Result> {
  if (limits) caller.account = { limits, isCounted: false };
  return slots ? runInSlot(slots, caller, run, longestWaitMs) : run();
}

async function runInSlot<Result>(
  slots: Slots,
  caller: Caller,
  run: () => Promise<Result>,
  longestWaitMs: number,
): Promise<Result> {
  caller.own?.pause();
  try {
    await enter(slots, caller, longestWaitMs);
  } finally {
    caller.own?.resume();
  }
  // The wait for other requests of the client is no time of the provider.
  caller.arrivedAt = Date.now();
  try {
    return await run();
  } finally {
    slots.release();
  }
}

async function enter(slots: Slots, { abort, isPatient }: Caller, longestWaitMs: number): Promise<void> {
  const { running, limit } = slots.load;
  if (isPatient || running < limit) return slots.acquire(abort, isPatient);
  const late = new AbortController();
  const isLate = () => late.abort(new QueueFullError(limit, 'client', longestWaitMs));
  const timer = setTimeout(isLate, longestWaitMs);
  try {
    await slots.acquire(AbortSignal.any([abort.signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
