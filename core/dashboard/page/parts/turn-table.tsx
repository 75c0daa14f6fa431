import type { UsageEntry } from '../../../record/ledger-entries';
import { formatCost, formatTokens, modelName, NOTHING } from '../format';
import { Mark } from './mark';
import { type Column, Rows } from './rows';
import { Ago } from './times';

const COLUMNS: Column<UsageEntry>[] = [
  {
    head: 'State',
    area: 'state',
    cell: ({ ok }) => (ok ? <Mark tone="ok">done</Mark> : <Mark tone="bad">failed</Mark>),
  },
  {
    head: 'Model',
    area: 'model',
    class: 'clip',
    title: ({ provider, model }) => modelName(provider, model),
    cell: ({ provider, model }) => modelName(provider, model),
  },
  {
    head: 'Asked by',
    area: 'asker',
    class: 'clip muted',
    cell: ({ source }) =>
      typeof source === 'number' ? <a href={`#/processes/${source}`}>process {source}</a> : source,
  },
  {
    head: 'Project',
    class: 'clip muted',
    title: ({ project }) => project ?? undefined,
    cell: ({ project }) => project,
  },
  { head: 'Ended', area: 'started', class: 'number muted', cell: ({ time }) => <Ago time={time} /> },
  {
    head: 'Tokens',
    area: 'tokens',
    class: 'number',
    title: () => 'tokens in / out',
    cell: ({ usage }) => (usage ? `${formatTokens(usage.inputTokens)} / ${formatTokens(usage.outputTokens)}` : NOTHING),
  },
  { head: 'Cost', area: 'cost', class: 'number', cell: ({ costUsd, nominalUsd }) => formatCost(costUsd, nominalUsd) },
];

/** Requests that have ended, as the ledger has them: those of clients and the steps of agents. */
export function TurnTable({ turns, label }: { turns: readonly UsageEntry[]; label: string }) {
  return <Rows label={label} class="turn-rows" columns={COLUMNS} rows={turns} keyOf={keyOf} />;
}

function keyOf({ time, source, provider }: UsageEntry): string {
  return `${time} ${source} ${provider}`;
}
