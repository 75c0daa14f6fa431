import { formatAgo, formatClock, formatDuration, formatElapsed, formatExact } from '../format';
import { useNow } from '../use-now';

export function Ago({ time }: { time: number }) {
  return <Stamp time={time}>{formatAgo(time, useNow())}</Stamp>;
}

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

/** The duration so far, or the whole duration when `to` is given. */
export function Elapsed({ from, to }: { from: number; to?: number }) {
  const now = useNow();
  const title = to === undefined ? `since ${formatExact(from)}` : `${formatExact(from)} to ${formatExact(to)}`;
  return <span title={title}>{to === undefined ? formatElapsed(now - from) : formatDuration(to - from)}</span>;
}
