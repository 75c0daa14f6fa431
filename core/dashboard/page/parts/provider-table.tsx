import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ProviderRow } from '../../protocol';
import type { ProviderGroup } from '../group-providers';
import { formatCost, formatCount, formatDuration, formatShare, formatTokens, NOTHING } from '../format';
import { Kept } from './kept';
import { HealthMark } from './mark';
import { Rests } from './rest';
import { Sparkline } from './sparkline';
import { TableHead } from './table-head';

interface ProviderColumn {
  /** Also the label of the cell in the cards of a narrow screen. */
  head: string;
  class?: string;
  title?: (row: ProviderRow) => string;
  cell: (row: ProviderRow) => ComponentChildren;
}

const number = (head: string, cell: ProviderColumn['cell'], title?: ProviderColumn['title']): ProviderColumn => ({
  head,
  class: 'number',
  title,
  cell,
});

const COLUMNS: ProviderColumn[] = [
  { head: 'Status', cell: ({ status }) => <HealthMark state={status} /> },
  {
    head: 'Provider',
    class: 'wrap',
    cell: ({ name, driverAlias, kind, files }) => (
      <>
        <span class="name">{name}</span>
        <small>
          {driverAlias} · {kind}
        </small>
        {files.map((file) => (
          <small key={file}>{file}</small>
        ))}
        {files.length === 0 && <small>built in</small>}
      </>
    ),
  },
  { head: 'Model', class: 'wrap', cell: ({ model }) => model ?? NOTHING },
  number('Check', checkOf),
  number('First token', ({ turns }) => durations(turns.flatMap(({ firstMs = [] }) => firstMs))),
  number('Duration', ({ turns }) => durations(turns.map(({ ms }) => ms))),
  number('Requests', ({ sinceStart }) => formatCount(sinceStart.turns)),
  number('Errors', ({ sinceStart: { failed, turns } }) => (
    <>
      {formatCount(failed)}
      {failed > 0 && <small>{formatShare(failed / turns)}</small>}
    </>
  )),
  number(
    'Tokens in',
    ({ sinceStart: { inputTokens, cachedInputTokens } }) => (
      <>
        {formatTokens(inputTokens)}
        {cachedInputTokens > 0 && <small>{formatShare(cachedInputTokens / inputTokens)} cached</small>}
      </>
    ),
    ({ sinceStart }) => formatCount(sinceStart.inputTokens),
  ),
  number(
    'Tokens out',
    ({ sinceStart }) => formatTokens(sinceStart.outputTokens),
    ({ sinceStart }) => formatCount(sinceStart.outputTokens),
  ),
  number('Cost', ({ sinceStart, today }) => (
    <>
      {formatCost(sinceStart.costUsd, sinceStart.nominalUsd)}
      {today.costUsd + today.nominalUsd > 0 && <small>{formatCost(today.costUsd, today.nominalUsd)} today</small>}
    </>
  )),
  { head: 'Paid by', class: 'wrap', cell: ({ pays }) => pays ?? NOTHING },
];

const NUMBERS = COLUMNS.filter((column) => column.class === 'number').map(({ head }) => head);

export function ProviderTable({ providers }: { providers: ProviderGroup[] }) {
  return (
    <table class="providers" aria-label="Providers">
      <TableHead heads={COLUMNS.map(({ head }) => head)} numbers={NUMBERS} />
      {providers.map((provider) => (
        <Provider
          key={`${provider.name} ${provider.files.join()} ${provider.status === 'offline'}`}
          provider={provider}
        />
      ))}
    </table>
  );
}

function Provider({ provider }: { provider: ProviderGroup }) {
  return useMemo(() => providerRows(provider), [provider]);
}

function providerRows(provider: ProviderGroup) {
  const { name, status, reasons = [provider], warnings, rests, kept } = provider;
  return (
    <tbody>
      <tr>
        {COLUMNS.map(({ head, class: name, title, cell }) => (
          <td key={head} class={name} data-label={head} title={title?.(provider)}>
            {cell(provider)}
          </td>
        ))}
      </tr>
      {(status === 'offline' || warnings.length + rests.length + kept.length > 0) && (
        <tr class="why">
          <td colSpan={COLUMNS.length}>
            {status === 'offline' &&
              reasons.map(({ reason, hint }) => (
                <div class="why-text" key={reason}>
                  <span class="bad">{reason ?? 'The provider gives no reason.'}</span>
                  {hint !== null && <span class="fix muted">{hint}</span>}
                </div>
              ))}
            <Rests name={name} rests={rests} />
            <Kept kept={kept} />
            {warnings.map((warning) => (
              <div class="why-text" key={warning}>
                <span class="warn">Warning: {warning}</span>
              </div>
            ))}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** The check of a program only looks for its file, which takes no time worth showing. */
function checkOf({ kind, status, timedOut, latencyMs, latency }: ProviderRow) {
  if (kind === 'http' && status === 'offline' && timedOut) return 'timeout';
  if (kind === 'cli' || latencyMs === null) return NOTHING;
  return durations([...latency.slice(0, -1).map(({ ms }) => ms), latencyMs]);
}

/** The latest duration, and a line of all. */
function durations(values: number[]) {
  return (
    <>
      {values.length === 0 ? NOTHING : formatDuration(values.at(-1)!)}
      <Sparkline values={values} />
    </>
  );
}
