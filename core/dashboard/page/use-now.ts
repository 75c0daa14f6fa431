import { useEffect, useState } from 'preact/hooks';
import { daemonNow } from './daemon-clock';

const TICK_MS = 1_000;
const watchers = new Set<(now: number) => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The current time of the daemon, updated every second by one timer for the whole page. */
export function useNow(): number {
  const [now, setNow] = useState(daemonNow);
  useEffect(() => {
    watchers.add(setNow);
    timer ??= setInterval(() => watchers.forEach((set) => set(daemonNow())), TICK_MS);
    return () => {
      watchers.delete(setNow);
      if (watchers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return now;
}
