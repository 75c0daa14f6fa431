import { formatCost, formatCount, formatDuration, NOTHING } from '../format';
import type { Trial } from '../use-trial';
import { Fact } from './facts';

/** What an answer took and cost. The backend may not report its usage. */
export function TrialFacts({ trial: { end } }: { trial: Trial }) {
  if (!end) return null;
  const { ms, firstMs, usage, costUsd, nominalUsd, model } = end;
  const cached = usage?.cachedInputTokens ? `${formatCount(usage.cachedInputTokens)} cached` : undefined;
  return (
    <dl class="facts">
      <Fact name="First token" value={firstMs === undefined ? NOTHING : formatDuration(firstMs)} />
      <Fact name="Duration" value={formatDuration(ms)} />
      <Fact name="Tokens in" note={cached} value={usage ? formatCount(usage.inputTokens) : NOTHING} />
      <Fact name="Tokens out" value={usage ? formatCount(usage.outputTokens) : NOTHING} />
      <Fact
        name="Cost"
        value={costUsd === undefined && nominalUsd === undefined ? 'not known' : formatCost(costUsd ?? 0, nominalUsd)}
      />
      <Fact name="Model" value={model ?? NOTHING} />
    </dl>
  );
}
