import { useNow } from '../use-now';
import { useStore } from '../use-store';
import { Command } from './command';
import { Clock } from './times';

/** A daemon that is restarted, or a machine that wakes up, needs no explanation. */
const PATIENCE_MS = 5_000;

/** Says that what is shown is old, and what to do. */
export function Lost() {
  const { state, link, linkSince } = useStore();
  const now = useNow();
  if (!state || link !== 'lost' || now - linkSince < PATIENCE_MS) return null;
  return (
    <p class="note note-warn wide" role="alert">
      The daemon has not answered since <Clock time={linkSince} />: this is how it was then. If it has ended, run{' '}
      <Command>drivebay dashboard</Command>
    </p>
  );
}
