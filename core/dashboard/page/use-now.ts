import { useEffect, useState } from 'preact/hooks';

const TICK_MS = 1_000;
const watchers = new Set<(now: number) => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The time, anew every second: one clock for all that shows it. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    watchers.add(setNow);
    timer ??= setInterval(tick, TICK_MS);
    return () => {
      watchers.delete(setNow);
      if (watchers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return now;
}

function tick(): void {
  const now = Date.now();
  for (const set of watchers) set(now);
}
