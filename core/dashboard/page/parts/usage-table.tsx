import { addTotals, NO_TURNS, type UsageTotals } from '../../../record/usage';
import type { UsageSummary } from '../../../record/usage-summary';
import { formatCost, formatCount, formatShare, NOTHING } from '../format';

const HEADS = ['Provider', 'Requests', 'Failed', 'Tokens in', 'Cached', 'Tokens out', 'Cost'];

/** One line per provider, the highest use first. */
export function UsageTable({ rows }: { rows: UsageSummary[] }) {
  const sums = new Map<string, UsageTotals>();
  for (const { provider, ...row } of rows)
    sums.set(provider ?? '', addTotals(sums.get(provider ?? '') ?? NO_TURNS, row));
  const used = ({ inputTokens, outputTokens }: UsageTotals) => inputTokens + outputTokens;
  const ordered = [...sums].sort(([, a], [, b]) => used(b) - used(a));
  return (
    <div class="scroll-x">
      <table class="sums">
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered.map(([provider, sum]) => (
            <tr key={provider}>
              <th scope="row">{provider}</th>
              <td>{formatCount(sum.turns)}</td>
              <td>{formatCount(sum.failed)}</td>
              <td>{formatCount(sum.inputTokens)}</td>
              <td>{sum.inputTokens > 0 ? formatShare(sum.cachedInputTokens / sum.inputTokens) : NOTHING}</td>
              <td>{formatCount(sum.outputTokens)}</td>
              <td>{formatCost(sum.costUsd, sum.nominalUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
