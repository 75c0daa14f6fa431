import type { DashboardState } from '../protocol';

// The browser may be on another machine, or outside of a virtual one: its clock and its time zone may be others.

let aheadMs = 0;
let zoneMs = 0;

export function setDaemonClock({ now, utcOffsetMs }: DashboardState['clock']): void {
  aheadMs = now - Date.now();
  zoneMs = utcOffsetMs;
}

/** The time on the clock of the daemon, as all times that it tells. */
export function daemonNow(): number {
  return Date.now() + aheadMs;
}

/** The latest days of the daemon, as the ledger names them: `2026-11-21`. The last one is today. */
export function daysBack(count: number): string[] {
  // Moved by the zone, the fields of UTC are those of the daemon.
  const today = new Date(daemonNow() + zoneMs);
  return Array.from({ length: count }, (_, index) => {
    const date = today.getUTCDate() - (count - 1 - index);
    return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), date)).toISOString().slice(0, 10);
  });
}

/** A time shortly before a day begins. That of summer is an hour off. */
export function beforeDay(day: string): number {
  return Date.parse(day) - zoneMs - 2 * 3_600_000;
}
