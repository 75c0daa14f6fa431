import { formatAgo, formatClock, formatDuration, formatElapsed, formatExact } from '../format';
import { useNow } from '../use-now';

/** How long ago, with the exact time on hover. */
export function Ago({ time }: { time: number }) {
  return <Stamp time={time}>{formatAgo(time, useNow())}</Stamp>;
}

/** The time of day, with the date on hover. */
export function Clock({ time }: { time: number }) {
  return <Stamp time={time}>{formatClock(time)}</Stamp>;
}

function Stamp({ time, children }: { time: number; children: string }) {
  return (
    <time dateTime={new Date(time).toISOString()} title={formatExact(time)}>
      {children}
    </time>
  );
}

/** How long something has gone on, or went on. */
export function Elapsed({ from, to }: { from: number; to?: number | undefined }) {
  const now = useNow();
  const title = to === undefined ? `since ${formatExact(from)}` : `${formatExact(from)} to ${formatExact(to)}`;
  return <span title={title}>{to === undefined ? formatElapsed(now - from) : formatDuration(to - from)}</span>;
}
