import { useState } from 'preact/hooks';
import type { UsageSplit } from '../../../record/usage';
import type { UsageAnswer } from '../../protocol';
import { beforeDay, daysBack } from '../daemon-clock';
import { Choice } from '../parts/choice';
import { LimitPanel } from '../parts/limit-panel';
import { Empty, Panel } from '../parts/panel';
import { METRICS, UsageChart } from '../parts/usage-chart';
import { UsageTable } from '../parts/usage-table';
import { useLedger } from '../use-ledger';
import { ProblemPage } from './problem-page';

type MetricName = keyof typeof METRICS;

const CHOICES = Object.entries(METRICS).map(([name, { label }]) => [name as MetricName, label] as const);
const SPLITS = { provider: 'Provider', client: 'Client', model: 'Model' } satisfies Record<UsageSplit, string>;
const PARTS = Object.entries(SPLITS).map(([name, label]) => [name as UsageSplit, label.toLowerCase()] as const);
const RANGES = [7, 30, 90].map((count) => [count, `${count} days`] as const);

export function UsagePage() {
  const [days, setDays] = useState(30);
  const [metric, setMetric] = useState<MetricName>('tokens');
  const [split, setSplit] = useState<UsageSplit>('provider');
  const shown = daysBack(days);
  const first = shown[0]!;
  const { answer, error } = useLedger<UsageAnswer>(`usage?by=day&split=${split}&from=${beforeDay(first)}`);
  if (error) return <ProblemPage message={error.message} hint={error.hint} />;
  const rows = answer?.usage.filter(({ key }) => key! >= first);
  return (
    <>
      <div class="view-head">
        <h1>Usage</h1>
        <div class="filters">
          <Choice label="Show" value={metric} options={CHOICES} onChange={(name) => setMetric(name as MetricName)} />
          <Choice label="by" value={split} options={PARTS} onChange={(name) => setSplit(name as UsageSplit)} />
          <Choice label="of the last" value={days} options={RANGES} onChange={(count) => setDays(Number(count))} />
        </div>
      </div>
      <Panel title={`${METRICS[metric].label} per day`}>
        {rows === undefined ? (
          <Empty>Reading the ledger ...</Empty>
        ) : rows.length === 0 ? (
          <Empty command="drivebay serve --demo">{`Nothing was used in the last ${days} days. Try`}</Empty>
        ) : (
          <UsageChart rows={rows} split={split} days={shown} metric={METRICS[metric]} />
        )}
      </Panel>
      {rows !== undefined && rows.length > 0 && (
        <Panel title={`By ${split}`} aside={`the last ${days} days`}>
          <UsageTable rows={rows} split={split} head={SPLITS[split]} />
        </Panel>
      )}
      <LimitPanel />
    </>
  );
}
