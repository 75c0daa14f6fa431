import type { ProcessSummary } from '../../../record/process-summary';
import { formatCost, formatCount, formatTokens, modelName, NOTHING } from '../format';
import { type Column, Rows } from './rows';
import { ProcessMark } from './mark';
import { Empty } from './panel';
import { Ago, Elapsed } from './times';

const COLUMNS: Column<ProcessSummary>[] = [
  { head: 'Pid', area: 'pid', class: 'muted', cell: ({ pid }) => pid },
  { head: 'State', area: 'state', cell: ({ state }) => <ProcessMark state={state} /> },
  {
    head: 'Intent',
    area: 'intent',
    class: 'clip',
    cell: ({ pid, intent }) => <a href={`#/processes/${pid}`}>{firstLine(intent)}</a>,
  },
  {
    head: 'Model',
    area: 'model',
    class: 'clip muted',
    title: nameOf,
    cell: (process) => (
      <>
        {nameOf(process)}
        {process.effort !== undefined && <span class="only-narrow"> · {process.effort}</span>}
      </>
    ),
  },
  { head: 'Effort', class: 'clip muted', cell: ({ effort }) => effort ?? NOTHING },
  { head: 'Started', area: 'started', class: 'number muted', cell: ({ createdAt }) => <Ago time={createdAt} /> },
  {
    head: 'Elapsed',
    area: 'elapsed',
    class: 'number',
    cell: ({ startedAt, endedAt }) => (startedAt === undefined ? NOTHING : <Elapsed from={startedAt} to={endedAt} />),
  },
  {
    head: 'Tokens',
    area: 'tokens',
    onlyNarrow: true,
    class: 'number',
    title: () => 'tokens in / out',
    cell: ({ usage }) => `${formatTokens(usage.inputTokens)} / ${formatTokens(usage.outputTokens)}`,
  },
  {
    head: 'In',
    class: 'number',
    title: ({ usage }) => formatCount(usage.inputTokens),
    cell: ({ usage }) => formatTokens(usage.inputTokens),
  },
  {
    head: 'Out',
    class: 'number',
    title: ({ usage }) => formatCount(usage.outputTokens),
    cell: ({ usage }) => formatTokens(usage.outputTokens),
  },
  { head: 'Cost', area: 'cost', class: 'number', cell: ({ costUsd, nominalUsd }) => formatCost(costUsd, nominalUsd) },
];

export function ProcessTable({ processes, label }: { processes: readonly ProcessSummary[]; label: string }) {
  return <Rows label={label} class="process-rows" columns={COLUMNS} rows={processes} keyOf={({ uuid }) => uuid} />;
}

function nameOf({ provider, model }: ProcessSummary): string {
  return provider === undefined ? NOTHING : modelName(provider, model);
}

function firstLine(intent: string): string {
  return intent.trimStart().split('\n', 1)[0]! || '(empty)';
}

/** In place of a table without rows. */
export function NoProcess() {
  return <Empty command={'drivebay "Name three uses of a paper clip"'}>No agent has run yet. Try</Empty>;
}
