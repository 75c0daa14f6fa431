import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ProviderRow } from '../../protocol';
import { formatCost, formatCount, formatDuration, formatShare, formatTokens, NOTHING } from '../format';
import { HealthMark } from './mark';
import { Sparkline } from './sparkline';

interface ProviderColumn {
  head: ComponentChildren;
  /** The head in the cards of a narrow screen. */
  label?: string;
  class?: string;
  title?: (row: ProviderRow) => string;
  cell: (row: ProviderRow) => ComponentChildren;
}

const number = (head: string, cell: ProviderColumn['cell'], title?: ProviderColumn['title']): ProviderColumn => ({
  head,
  label: head,
  class: 'number',
  title,
  cell,
});

const COLUMNS: ProviderColumn[] = [
  { head: 'Status', cell: ({ status }) => <HealthMark state={status} /> },
  {
    head: 'Provider',
    class: 'wrap',
    cell: ({ name, driver, kind }) => (
      <>
        <span class="name">{name}</span>
        <small>
          {driver} · {kind}
        </small>
      </>
    ),
  },
  { head: 'Model', label: 'Model', class: 'wrap', cell: ({ model }) => model ?? NOTHING },
  { head: <span class="latest">Latency</span>, label: 'Latency', class: 'latency', cell: latencyOf },
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
      {formatCost(sinceStart.costUsd)}
      {today.costUsd > 0 && <small>{formatCost(today.costUsd)} today</small>}
    </>
  )),
  { head: 'Paid by', label: 'Paid by', class: 'wrap', cell: ({ pays }) => pays ?? NOTHING },
];

export function ProviderTable({ providers, label }: { providers: ProviderRow[]; label: string }) {
  return (
    <table class="providers" aria-label={label}>
      <thead>
        <tr>
          {COLUMNS.map(({ head, class: name }, index) => (
            <th key={index} scope="col" class={name === 'number' ? name : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {providers.map((provider) => (
        <Provider key={provider.name} provider={provider} />
      ))}
    </table>
  );
}

function Provider({ provider }: { provider: ProviderRow }) {
  return useMemo(() => providerRows(provider), [provider]);
}

function providerRows(provider: ProviderRow) {
  const { status, reason, hint, warnings } = provider;
  return (
    <tbody>
      <tr>
        {COLUMNS.map(({ label, class: name, title, cell }, index) => (
          <td key={index} class={name} data-label={label} title={title?.(provider)}>
            {cell(provider)}
          </td>
        ))}
      </tr>
      {(status === 'offline' || warnings.length > 0) && (
        <tr class="why">
          <td colSpan={COLUMNS.length}>
            {status === 'offline' && (
              <div class="why-text">
                <span class="bad">{reason ?? 'The provider gives no reason.'}</span>
                {hint !== null && <span class="fix muted">{hint}</span>}
              </div>
            )}
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

/** The latency of checks. A check of a program only looks for its file, so a program has the latency of turns. */
function latencyOf({ kind, status, timedOut, latencyMs, latency, turns }: ProviderRow) {
  const isProgram = kind === 'cli';
  const latest = isProgram ? turns.at(-1)?.ms : latencyMs;
  const isTimeout = !isProgram && status === 'offline' && timedOut;
  return (
    <>
      <span class="latest" title={`the latest ${isProgram ? 'turn' : 'check'}`}>
        {isTimeout ? 'timeout' : latest === undefined || latest === null ? NOTHING : formatDuration(latest)}
      </span>
      <Sparkline points={isProgram ? turns : latency} what={isProgram ? 'turns' : 'checks'} />
    </>
  );
}
