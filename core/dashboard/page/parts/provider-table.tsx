import { memo } from '../memo';
import type { ProviderRow } from '../../protocol';
import { formatCost, formatCount, formatDuration, formatShare, formatTokens, NOTHING } from '../format';
import { Sparkline } from './sparkline';
import { HealthMark } from './states';

/** The providers of a project: how they are, and what they did since the daemon started. */
export function ProviderTable({ providers, label }: { providers: ProviderRow[]; label: string }) {
  return (
    <table class="providers" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Provider</th>
          <th scope="col">Model</th>
          <th scope="col">
            <span class="latest">Latency</span>
          </th>
          <th scope="col" class="number">
            Requests
          </th>
          <th scope="col" class="number">
            Errors
          </th>
          <th scope="col" class="number">
            Tokens in
          </th>
          <th scope="col" class="number">
            Tokens out
          </th>
          <th scope="col" class="number">
            Cost
          </th>
          <th scope="col">Paid by</th>
        </tr>
      </thead>
      {providers.map((provider) => (
        <Provider key={provider.name} provider={provider} />
      ))}
    </table>
  );
}

const Provider = memo(({ provider }: { provider: ProviderRow }) => {
  const { name, driver, kind, status, model, pays, reason, hint, warnings, sinceStart: sums } = provider;
  const cached = sums.inputTokens > 0 ? sums.cachedInputTokens / sums.inputTokens : 0;
  return (
    <tbody>
      <tr>
        <td>
          <HealthMark state={status} />
        </td>
        <td class="wrap">
          <span class="name">{name}</span>
          <small>
            {driver} · {kind}
          </small>
        </td>
        <td class="wrap" data-label="Model">
          {model ?? NOTHING}
        </td>
        <td class="latency" data-label="Latency">
          <Latency provider={provider} />
        </td>
        <td class="number" data-label="Requests">
          {formatCount(sums.turns)}
        </td>
        <td class="number" data-label="Errors">
          {formatCount(sums.failed)}
          {sums.failed > 0 && <small>{formatShare(sums.failed / sums.turns)}</small>}
        </td>
        <td class="number" data-label="Tokens in" title={formatCount(sums.inputTokens)}>
          {formatTokens(sums.inputTokens)}
          {cached > 0 && <small>{formatShare(cached)} cached</small>}
        </td>
        <td class="number" data-label="Tokens out" title={formatCount(sums.outputTokens)}>
          {formatTokens(sums.outputTokens)}
        </td>
        <td class="number" data-label="Cost">
          {formatCost(sums.costUsd)}
          {provider.today.costUsd > 0 && <small>{formatCost(provider.today.costUsd)} today</small>}
        </td>
        <td class="wrap" data-label="Paid by">
          {pays ?? NOTHING}
        </td>
      </tr>
      {(status === 'offline' || warnings.length > 0) && (
        <tr class="why">
          <td colSpan={10}>
            {status === 'offline' && (
              <div class="why-text">
                <span class="bad">{reason ?? 'It does not say why.'}</span>
                {hint !== null && <span class="fix">{hint}</span>}
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
});

/** Of checks where there are some; of turns for a program, which is only looked for. */
function Latency({ provider }: { provider: ProviderRow }) {
  const { kind, status, timedOut, latencyMs: latest, latency, turns } = provider;
  if (kind === 'cli') {
    const last = turns.at(-1);
    return (
      <>
        <span class="latest" title="the latest turn">
          {last ? formatDuration(last.ms) : NOTHING}
        </span>
        <Sparkline points={turns} what="turns" />
      </>
    );
  }
  return (
    <>
      <span class="latest" title="the latest check">
        {status === 'offline' && timedOut ? 'timeout' : latest === null ? NOTHING : formatDuration(latest)}
      </span>
      <Sparkline points={latency} what="checks" />
    </>
  );
}
