import type { RequestRow } from '../../protocol';
import { formatCost, formatDuration, formatTokens, modelName, NOTHING } from '../format';
import { Mark } from './mark';
import { type Column, Rows } from './rows';
import { Ago, Elapsed } from './times';
import { WholeText } from './whole-text';

const COLUMNS: Column<RequestRow>[] = [
  { head: 'State', area: 'state', cell: ({ end }) => <RequestMark end={end} /> },
  {
    head: 'Model',
    area: 'model',
    class: 'clip',
    title: ({ id, provider, model }) => `${modelName(provider, model)}, request ${id}`,
    cell: ({ provider, model, end }) =>
      end?.target === undefined ? modelName(provider, model) : `${modelName(provider, model)} → ${end.target}`,
  },
  {
    head: 'Result',
    area: 'result',
    class: 'clip muted',
    cell: ({ id, end }) => {
      const attempts = end?.attempts?.map(({ provider, kind, message }) => `${provider}: ${kind}: ${message}`) ?? [];
      if (end?.error !== undefined) {
        const lines = [`${end.status} · ${end.error}`, ...attempts];
        return <WholeText label={`The error of request ${id}`}>{lines.join('\n')}</WholeText>;
      }
      if (!end || attempts.length === 0) return end?.status ?? NOTHING;
      const text = [`${end.status} · after ${attempts.length} that did not answer`, ...attempts].join('\n');
      return <WholeText label={`The attempts of request ${id}`}>{text}</WholeText>;
    },
  },
  {
    head: 'Way',
    area: 'way',
    class: 'clip muted',
    title: ({ client }) => client && `asked by the client ${client}`,
    cell: ({ stream, client }) => [client, stream ? 'stream' : 'call'].filter(Boolean).join(' · '),
  },
  { head: 'Started', area: 'started', class: 'number muted', cell: ({ startedAt }) => <Ago time={startedAt} /> },
  {
    head: 'Elapsed',
    area: 'elapsed',
    class: 'number',
    cell: ({ startedAt, end }) => (end ? formatDuration(end.ms) : <Elapsed from={startedAt} />),
  },
  {
    head: 'Tokens',
    area: 'tokens',
    class: 'number',
    title: () => 'tokens in / out',
    cell: ({ end: { usage } = {} }) =>
      usage ? `${formatTokens(usage.inputTokens)} / ${formatTokens(usage.outputTokens)}` : NOTHING,
  },
  { head: 'Cost', area: 'cost', class: 'number', cell: ({ end }) => formatCost(end?.costUsd ?? 0, end?.nominalUsd) },
];

export function RequestTable({ requests, label }: { requests: readonly RequestRow[]; label: string }) {
  return <Rows label={label} class="request-rows" columns={COLUMNS} rows={requests} keyOf={({ id }) => id} />;
}

function RequestMark({ end }: Pick<RequestRow, 'end'>) {
  if (!end) return <Mark tone="busy">running</Mark>;
  if (end.status === 499) return <Mark tone="stop">left</Mark>;
  // A stream may fail after its status.
  const hasFailed = end.status >= 400 || end.error !== undefined;
  return hasFailed ? <Mark tone="bad">failed</Mark> : <Mark tone="ok">done</Mark>;
}
