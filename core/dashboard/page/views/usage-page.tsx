import { useState } from 'preact/hooks';
import type { UsageAnswer } from '../../protocol';
import { getJson } from '../api';
import { daysBack } from '../days';
import { Choice } from '../parts/choice';
import { Empty, Panel } from '../parts/panel';
import { METRICS, UsageChart } from '../parts/usage-chart';
import { UsageTable } from '../parts/usage-table';
import { useAnswer } from '../use-answer';
import { useStore } from '../use-store';
import { ProblemPage } from './problem-page';

type MetricName = keyof typeof METRICS;

const CHOICES = Object.entries(METRICS).map(([name, { label }]) => [name as MetricName, label] as const);
const RANGES = [7, 30, 90].map((count) => [count, `${count} days`] as const);
/** The time between two reads of the ledger while requests end. */
const AGAIN_MS = 5_000;

export function UsagePage() {
  const [days, setDays] = useState(30);
  const [metric, setMetric] = useState<MetricName>('tokens');
  const { answer, error } = useUsage(days);
  if (error) return <ProblemPage message={error.message} hint={error.hint} />;
  const rows = answer?.usage;
  return (
    <>
      <div class="view-head">
        <h1>Usage</h1>
        <div class="filters">
          <Choice label="Show" value={metric} options={CHOICES} onChange={(name) => setMetric(name as MetricName)} />
          <Choice label="of the last" value={days} options={RANGES} onChange={(count) => setDays(Number(count))} />
        </div>
      </div>
      <Panel title={`${METRICS[metric].label} per day`}>
        {rows === undefined ? (
          <Empty>Reading the ledger ...</Empty>
        ) : rows.length === 0 ? (
          <Empty command="drivebay serve --demo">{`Nothing was used in the last ${days} days. Try`}</Empty>
        ) : (
          <UsageChart rows={rows} days={daysBack(days, Date.now())} metric={METRICS[metric]} />
        )}
      </Panel>
      {rows !== undefined && rows.length > 0 && (
        <Panel title="By provider" aside={`the last ${days} days`}>
          <UsageTable rows={rows} />
        </Panel>
      )}
    </>
  );
}

/** The sums of the ledger by day and provider. Reads them again after a request or a step has ended. */
function useUsage(days: number) {
  const store = useStore();
  const [reads, setReads] = useState(0);
  return useAnswer(
    (signal) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const stop = store.follow(({ kind, event }) => {
        const ended = (kind === 'request' && event.type === 'end') || (kind === 'process' && event.type === 'step_end');
        if (ended) timer ??= setTimeout(() => setReads(reads + 1), AGAIN_MS);
      });
      signal.addEventListener('abort', () => {
        stop();
        clearTimeout(timer);
      });
      const [first] = daysBack(days, Date.now());
      return getJson<UsageAnswer>(`usage?by=day&split=provider&from=${first!.from}`, signal);
    },
    [days, reads, store],
  );
}
