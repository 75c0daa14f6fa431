import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { UsageSplit } from '../../../record/usage';
import type { UsageSummary } from '../../../record/usage-summary';
import { formatCost, formatCount, formatTokens } from '../format';

interface Metric {
  label: string;
  of: (row: UsageSummary) => number;
  format: (value: number) => string;
}

export const METRICS = {
  tokens: { label: 'Tokens', of: ({ inputTokens, outputTokens }) => inputTokens + outputTokens, format: formatTokens },
  cost: { label: 'Cost', of: ({ costUsd }) => costUsd, format: formatCost },
  requests: { label: 'Requests', of: ({ turns }) => turns, format: formatCount },
} as const satisfies Record<string, Metric>;

/** The names of turns that have none of their own. */
const WITHOUT: Record<UsageSplit, string> = { provider: '', client: '(owner)', model: '(no model)' };

/** What a row of split sums is about. */
export function partOf({ part }: UsageSummary, split: UsageSplit): string {
  return part ?? WITHOUT[split];
}

/** The others share the last colour, because users cannot distinguish more colours. */
const SERIES = 5;
const REST = 'others';
const LEFT = 64;
const BOTTOM = 22;
const TOP = 8;

interface Stack {
  day: string;
  parts: { name: string; series: number; value: number }[];
  total: number;
}

interface Chart {
  rows: UsageSummary[];
  split: UsageSplit;
  days: string[];
  metric: Metric;
}

export function UsageChart({ rows, split, days, metric }: Chart) {
  const box = useRef<SVGSVGElement>(null);
  const { width, height } = useSize(box);
  const names = seriesOf(rows, split, metric);
  const stacks = stacksOf({ rows, split, days, metric }, names);
  const top = niceTop(Math.max(...stacks.map(({ total }) => total)));
  const step = (width - LEFT) / days.length;
  const y = (value: number) => TOP + (1 - value / top) * (height - TOP - BOTTOM);
  const every = Math.ceil(60 / step);
  return (
    <div class="chart-box">
      <ul class="legend">
        {names.map((name, index) => (
          <li key={name} style={colourOf(index)}>
            {name}
          </li>
        ))}
      </ul>
      <svg ref={box} class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary(stacks, metric)}>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line
              stroke={share === 0 ? 'var(--line)' : 'var(--line-soft)'}
              x1={LEFT}
              x2={width}
              y1={y(top * share)}
              y2={y(top * share)}
            />
            <text x={LEFT - 8} y={y(top * share) + 4} text-anchor="end">
              {share === 0 ? '0' : metric.format(top * share)}
            </text>
          </g>
        ))}
        {stacks.map((stack, index) => (
          <g key={stack.day} class="day" transform={`translate(${LEFT + index * step} 0)`}>
            <title>{dayTitle(stack, metric)}</title>
            <rect class="hit" fill="transparent" width={step} y={TOP} height={height - TOP - BOTTOM} />
            {bars(stack).map(({ from, to, series }) => (
              <rect
                key={series}
                class="bar"
                fill="var(--colour)"
                style={colourOf(series)}
                x={step * 0.15}
                width={step * 0.7}
                y={y(to)}
                height={Math.max(0, y(from) - y(to))}
              />
            ))}
            {(days.length - 1 - index) % every === 0 && (
              <text x={step / 2} y={height - 5} text-anchor="middle">
                {stack.day.slice(5)}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}

function colourOf(series: number) {
  return { '--colour': `var(--series-${series + 1})` };
}

const ROUND = [1, 2, 2.5, 5, 10];

/** The next round number, for the end of an axis. */
function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ROUND.find((step) => step * power >= value)! * power;
}

function bars({ parts }: Stack) {
  let from = 0;
  return parts.map(({ series, value }) => ({ series, from, to: (from += value) }));
}

/** The parts with the highest use, in one order for all days. */
function seriesOf(rows: UsageSummary[], split: UsageSplit, metric: Metric): string[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(partOf(row, split), (sums.get(partOf(row, split)) ?? 0) + metric.of(row));
  const used = [...sums].filter(([, sum]) => sum > 0);
  const names = used.sort(([, a], [, b]) => b - a).map(([name]) => name);
  return names.length <= SERIES ? names : [...names.slice(0, SERIES - 1), REST];
}

function stacksOf({ rows, split, days, metric }: Chart, names: string[]): Stack[] {
  return days.map((day) => {
    const values = names.map(() => 0);
    for (const row of rows) {
      if (row.key !== day) continue;
      const index = names.indexOf(partOf(row, split));
      if (names.length > 0) values[index < 0 ? names.length - 1 : index]! += metric.of(row);
    }
    const parts = names.map((name, series) => ({ name, series, value: values[series]! }));
    return { day, parts: parts.filter(({ value }) => value > 0), total: values.reduce((sum, value) => sum + value, 0) };
  });
}

function dayTitle({ day, parts, total }: Stack, metric: Metric): string {
  const lines = parts.map(({ name, value }) => `${name}: ${metric.format(value)}`);
  return [`${day}: ${metric.format(total)}`, ...(parts.length > 1 ? lines : [])].join('\n');
}

function summary(stacks: Stack[], metric: Metric): string {
  const total = stacks.reduce((sum, stack) => sum + stack.total, 0);
  return `${metric.label} on ${stacks.length} days: ${metric.format(total)} together`;
}

/** The size of the box, so that the chart is not stretched. */
function useSize(box: { current: SVGSVGElement | null }): { width: number; height: number } {
  const [size, setSize] = useState({ width: 800, height: 240 });
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize({ width: Math.max(240, width), height: Math.max(120, height) });
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  return size;
}
