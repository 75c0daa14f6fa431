import type { UsageRow } from '../protocol';
import { formatCost, formatCount, formatTokens } from './format';

export type MetricName = 'tokens' | 'cost' | 'requests';

export interface Metric {
  label: string;
  of: (row: UsageRow) => number;
  format: (value: number) => string;
}

export const METRICS: Record<MetricName, Metric> = {
  tokens: { label: 'Tokens', of: ({ inputTokens, outputTokens }) => inputTokens + outputTokens, format: formatTokens },
  cost: { label: 'Cost', of: ({ costUsd }) => costUsd, format: formatCost },
  requests: { label: 'Requests', of: ({ turns }) => turns, format: formatCount },
};
