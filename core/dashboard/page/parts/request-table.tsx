import { memo } from '../memo';
import type { RequestEnd, RequestRow } from '../../protocol';
import { formatCost, formatDuration, formatTokens, NOTHING } from '../format';
import { modelName } from '../model-name';
import { Mark } from './mark';
import { Rows } from './rows';
import { Ago, Elapsed } from './times';

const COLUMNS = ['State', 'Model', 'Result', 'Way', 'Started', 'Elapsed', 'Tokens', 'Cost'];

export function RequestTable({ requests, label }: { requests: readonly RequestRow[]; label: string }) {
  return (
    <Rows label={label} class="request-rows" columns={COLUMNS} rows={requests} keyOf={({ id }) => id}>
      {(request) => <Cells request={request} />}
    </Rows>
  );
}

const Cells = memo(({ request }: { request: RequestRow }) => {
  const { id, provider, model, stream, startedAt, end } = request;
  const name = modelName(provider, model);
  const tokens = end?.usage && `${formatTokens(end.usage.inputTokens)} / ${formatTokens(end.usage.outputTokens)}`;
  return (
    <>
      <span role="cell" class="cell-state">
        <RequestMark request={request} />
      </span>
      <span role="cell" class="cell-model clip" title={`${name}, request ${id}`}>
        {name}
      </span>
      <span role="cell" class="cell-result clip muted" title={end?.error}>
        {end ? [end.status, end.error].filter(Boolean).join(' · ') : NOTHING}
      </span>
      <span role="cell" class="cell-way muted">
        {stream ? 'stream' : 'call'}
      </span>
      <span role="cell" class="cell-started number muted">
        <Ago time={startedAt} />
      </span>
      <span role="cell" class="cell-elapsed number">
        {end ? formatDuration(end.ms) : <Elapsed from={startedAt} />}
      </span>
      <span role="cell" class="cell-tokens number" title="tokens in / out">
        {tokens ?? NOTHING}
      </span>
      <span role="cell" class="cell-cost number">
        {formatCost(end?.costUsd ?? 0)}
      </span>
    </>
  );
});

/** A stream may fail after its status. */
function hasFailed({ status, error }: RequestEnd): boolean {
  return status >= 400 || error !== undefined;
}

function RequestMark({ request: { end } }: { request: RequestRow }) {
  if (!end) return <Mark tone="busy">running</Mark>;
  if (end.status === 499) return <Mark tone="stop">left</Mark>;
  return hasFailed(end) ? <Mark tone="bad">failed</Mark> : <Mark tone="ok">done</Mark>;
}
