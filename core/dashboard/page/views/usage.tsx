import { useEffect, useState } from 'preact/hooks';
import type { UsageAnswer, UsageRow } from '../../protocol';
import { type ApiError, getJson } from '../api';
import { daysBack } from '../days';
import { Choice } from '../parts/choice';
import { Empty, Panel } from '../parts/panel';
import { METRICS, UsageChart } from '../parts/usage-chart';
import { UsageTable } from '../parts/usage-table';
import { useStore } from '../use-store';
import { Problem } from './problem';

type MetricName = keyof typeof METRICS;

const CHOICES = Object.entries(METRICS).map(([name, { label }]) => [name as MetricName, label] as const);
const RANGES = [7, 30, 90].map((count) => [count, `${count} days`] as const);
/** The time between two reads of the ledger while requests end. */
const AGAIN_MS = 5_000;

export function Usage() {
  const [days, setDays] = useState(30);
  const [metric, setMetric] = useState<MetricName>('tokens');
  const { rows, error } = useUsage(days);
  if (error) return <Problem message={error.message} hint={error.hint} />;
  return (
    <>
      <div class="process-title">
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
function useUsage(days: number): { rows?: UsageRow[]; error?: ApiError } {
  const store = useStore();
  const [answer, setAnswer] = useState<{ rows?: UsageRow[]; error?: ApiError }>({});
  useEffect(() => {
    const aborting = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      timer = undefined;
      const [first] = daysBack(days, Date.now());
      getJson<UsageAnswer>(`usage?by=day&split=provider&from=${first!.from}`, aborting.signal)
        .then(({ usage }) => setAnswer({ rows: usage }))
        .catch((error: unknown) => {
          if (!aborting.signal.aborted) setAnswer({ error: error as ApiError });
        });
    };
    const stop = store.follow(({ kind, event }) => {
      const ended = (kind === 'request' && event.type === 'end') || (kind === 'process' && event.type === 'step_end');
      if (ended) timer ??= setTimeout(read, AGAIN_MS);
    });
    read();
    return () => {
      stop();
      clearTimeout(timer);
      aborting.abort();
    };
  }, [days, store]);
  return answer;
}
