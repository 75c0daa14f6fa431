import type { ClientAccount } from '../../limits/limit-book';
import type { Caller } from '../../providers/caller';

/** Runs a call under the limits of the client that asks. They are asked where a provider is, and a slot is waited for here. */
export async function runLimited<Result>(
  { limits, slots }: ClientAccount,
  caller: Caller,
  run: () => Promise<Result>,
): Promise<Result> {
  if (limits) caller.account = { limits, isCounted: false };
  if (!slots) return run();
  caller.own?.pause();
  try {
    await slots.acquire(caller.abort.signal);
  } finally {
    caller.own?.resume();
  }
  try {
    return await run();
  } finally {
    slots.release();
  }
}
