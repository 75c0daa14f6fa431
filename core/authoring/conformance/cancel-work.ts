import { CallAborted } from '../../providers/call-clock';
import type { Stage } from './stage';
import { CANCEL_LIMIT_MS, until, untilEmpty, within } from './within';

/** How long a program may take until it is ready, and kept. */
const READY_LIMIT_MS = 10_000;

/** Cancels a call apart from chats while the backend works. Fails the case when the call does not end, or leaves work behind. */
export async function cancelWork(
  stage: Stage,
  what: string,
  start: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const abort = new AbortController();
  let isOver = false;
  const settled = Promise.resolve(start(abort.signal))
    .catch(() => undefined)
    .finally(() => (isOver = true));
  // A call that needs no backend ends at once.
  await until(() => isOver || stage.backend.atWork().length > 0, `no sign of ${what}`);
  abort.abort(new CallAborted('timeout', 'the time is up'));
  await within(settled, `${what} did not end after its signal`, CANCEL_LIMIT_MS);
  await untilReleased(stage, `after a canceled ${what}`);
}

/** Fails the case when something of the call that has just ended is still at work after the limit. */
export async function untilReleased(stage: Stage, what: string, limitMs?: number): Promise<void> {
  // Not the programs that the driver keeps.
  const atWork = (): string[] => {
    const kept = stage.provider().kept.map(({ pid }) => `process ${pid}`);
    return stage.backend.atWork().filter((line) => !kept.includes(line));
  };
  const own = new Set(atWork());
  await untilEmpty(() => atWork().filter((line) => own.has(line)), what, limitMs);
  // A driver may start a program for later calls, which is not kept before it is ready.
  await untilEmpty(atWork, `${what}, started after it, and not kept`, READY_LIMIT_MS);
}
