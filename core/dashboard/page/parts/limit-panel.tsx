import type { LimitReport } from '../../../limits/limit-report';
import type { Refused } from '../../../limits/refusals';
import { formatCount, NOTHING } from '../format';
import { useLedger } from '../use-ledger';
import { Bars, type Bounded } from './limit-bars';
import { Panel } from './panel';
import { TableHead } from './table-head';
import { Ago } from './times';

const REASONS: Record<Refused['reason'], string> = {
  requests: 'over its requests a minute',
  tokens: 'over its tokens a minute',
  budget: 'over its budget',
  concurrency: 'too many at once',
  allow: 'for what it may not ask for',
  key: 'without a known key',
};

interface Row extends Bounded {
  name: string;
  what: string;
  turnedAway: Refused[];
}

/** Limits as bars, and who was turned away. Without any of them there is no panel. */
export function LimitPanel() {
  const { answer } = useLedger<LimitReport>('limits');
  const rows = answer ? rowsOf(answer) : [];
  if (rows.length === 0) return null;
  return (
    <Panel title="Limits" aside="who was turned away: since the daemon started">
      <div class="scroll-x" tabIndex={0} role="group" aria-label="Limits">
        <table class="limits">
          <TableHead heads={['Of', 'Used now', 'Turned away']} />
          <tbody>
            {/* Two projects may have one name with limits of their own. */}
            {rows.map((row, at) => (
              <tr key={at}>
                <th scope="row">
                  {row.name} <small class="muted">{row.what}</small>
                </th>
                <td>
                  <Bars {...row} />
                </td>
                <td data-label="Turned away">{row.turnedAway.length === 0 ? NOTHING : row.turnedAway.map(Refusal)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Refusal({ reason, count, lastAt }: Refused) {
  return (
    <div key={reason}>
      <span class="warn">
        {formatCount(count)} {REASONS[reason]}
      </span>
      , <Ago time={lastAt} />
    </div>
  );
}

function rowsOf({ clients, providers, strangers }: LimitReport): Row[] {
  const others = strangers ? [{ name: '(others)', what: '', budgets: [], queue: null, turnedAway: [strangers] }] : [];
  return [
    ...clients.map((client) => ({ ...client, what: 'client' })),
    ...providers.map((provider) => ({ ...provider, what: 'provider', queue: null, turnedAway: [] })),
    ...others,
  ];
}
