import { formatDuration } from '../format';

const WIDTH = 72;
const HEIGHT = 18;
const PAD = 2;

/** The latest durations, the newest on the right. */
export function Sparkline({ values }: { values: number[] }) {
  if (values.length < 2) return null;
  const top = Math.max(...values);
  const low = Math.min(...values);
  const x = (index: number) => PAD + (index / (values.length - 1)) * (WIDTH - 2 * PAD);
  // The axis starts at zero, so that a small change looks small.
  const y = (ms: number) => HEIGHT - PAD - (top === 0 ? 0 : ms / top) * (HEIGHT - 2 * PAD);
  const line = values.map((ms, index) => `${x(index).toFixed(1)},${y(ms).toFixed(1)}`).join(' ');
  const text = `the latest ${values.length}: ${formatDuration(low)} to ${formatDuration(top)}`;
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text}>
      <title>{text}</title>
      <polyline points={line} fill="none" stroke="var(--series-1)" stroke-width="1.3" stroke-linejoin="round" />
      <circle cx={x(values.length - 1)} cy={y(values.at(-1)!)} r="1.8" fill="var(--series-1)" />
    </svg>
  );
}
