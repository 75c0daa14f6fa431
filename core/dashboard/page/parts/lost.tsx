import { useNow } from '../use-now';
import { useStore } from '../use-store';
import { Command } from './command';
import { Clock } from './times';

/** Longer than the restart of a daemon or the wake-up of a machine. */
const PATIENCE_MS = 5_000;

export function Lost() {
  const { state, link, linkSince } = useStore();
  const now = useNow();
  if (!state || link !== 'lost' || now - linkSince < PATIENCE_MS) return null;
  return (
    <p class="note note-warn wide" role="alert">
      The daemon has not answered since <Clock time={linkSince} />, so this page is out of date. If the daemon has
      ended, run <Command>drivebay dashboard</Command>
    </p>
  );
}
