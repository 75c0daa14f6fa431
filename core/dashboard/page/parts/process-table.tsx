import { memo } from '../memo';
import type { ProcessSummary } from '../../../record/process-summary';
import { formatCost, formatCount, formatTokens, NOTHING } from '../format';
import { modelName } from '../model-name';
import { Rows } from './rows';
import { ProcessMark } from './states';
import { Ago, Elapsed } from './times';

const COLUMNS = ['Pid', 'State', 'Intent', 'Model', 'Effort', 'Started', 'Elapsed', 'In', 'Out', 'Cost'];

export function ProcessTable({ processes, label }: { processes: readonly ProcessSummary[]; label: string }) {
  return (
    <Rows label={label} class="process-rows" columns={COLUMNS} rows={processes} keyOf={({ uuid }) => uuid}>
      {(process) => <Cells process={process} />}
    </Rows>
  );
}

const Cells = memo(({ process }: { process: ProcessSummary }) => {
  const { pid, state, intent, provider, model, effort, createdAt, startedAt, endedAt, usage, costUsd } = process;
  const name = provider === undefined ? NOTHING : modelName(provider, model);
  return (
    <>
      <span role="cell" class="cell-pid muted">
        {pid}
      </span>
      <span role="cell" class="cell-state">
        <ProcessMark state={state} />
      </span>
      <span role="cell" class="cell-intent clip">
        <a href={`#/processes/${pid}`}>{firstLine(intent)}</a>
      </span>
      <span role="cell" class="cell-model clip muted" title={name}>
        {name}
        {effort !== undefined && <span class="only-narrow"> · {effort}</span>}
      </span>
      <span role="cell" class="only-wide clip muted">
        {effort ?? NOTHING}
      </span>
      <span role="cell" class="cell-started number muted">
        <Ago time={createdAt} />
      </span>
      <span role="cell" class="cell-elapsed number">
        {startedAt === undefined ? NOTHING : <Elapsed from={startedAt} to={endedAt} />}
      </span>
      <span role="cell" class="only-narrow cell-tokens number" title="tokens in / out">
        {formatTokens(usage.inputTokens)} / {formatTokens(usage.outputTokens)}
      </span>
      <span role="cell" class="only-wide number" title={formatCount(usage.inputTokens)}>
        {formatTokens(usage.inputTokens)}
      </span>
      <span role="cell" class="only-wide number" title={formatCount(usage.outputTokens)}>
        {formatTokens(usage.outputTokens)}
      </span>
      <span role="cell" class="cell-cost number">
        {formatCost(costUsd)}
      </span>
    </>
  );
});

function firstLine(intent: string): string {
  return intent.trimStart().split('\n', 1)[0]! || '(empty)';
}
