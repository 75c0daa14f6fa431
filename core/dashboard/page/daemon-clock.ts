import type { DashboardState } from '../protocol';

// The browser may run on another machine than the daemon, or outside of its virtual machine: clock and time zone may differ.

let aheadMs = 0;
let zoneMs = 0;

export function setDaemonClock({ now, utcOffsetMs }: DashboardState['clock']): void {
  aheadMs = now - Date.now();
  zoneMs = utcOffsetMs;
}

/** The time on the clock of the daemon. All times that it sends come from this clock. */
export function daemonNow(): number {
  return Date.now() + aheadMs;
}

/** The last days on the clock of the daemon, in the form of the ledger: `2026-11-21`. The last one is today. */
export function daysBack(count: number): string[] {
  // Shifted by the zone, the UTC fields show the local time of the daemon.
  const today = new Date(daemonNow() + zoneMs);
  return Array.from({ length: count }, (_, index) => {
    const date = today.getUTCDate() - (count - 1 - index);
    return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), date)).toISOString().slice(0, 10);
  });
}

/** A time shortly before a day begins: two hours, because summer time moves the beginning by one. */
export function beforeDay(day: string): number {
  return Date.parse(day) - zoneMs - 2 * 3_600_000;
}
