import { CallAborted } from '../../providers/call-clock';
import type { Stage } from './stage';
import { CANCEL_LIMIT_MS, until, within } from './within';

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
  await stage.untilReleased(`after a canceled ${what}`);
}
