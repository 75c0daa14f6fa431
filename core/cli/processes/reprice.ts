import { HintedError, messageOf } from '../../errors';
import { howToMove, isDiskFull } from '../../paths';
import type { UsageRange } from '../../record/ledger-entries';
import { writeOverlay } from '../../record/price-overlay';
import { type RepricedGroup, repriceLedger, type Repricing } from '../../record/reprice';
import { addTotals, NO_TURNS } from '../../record/usage';
import { runningDaemon } from '../daemon/running-daemon';
import { pathsHere } from '../here';
import { formatTable, printNote, printReport } from '../terminal/print';
import { countOf, formatCost, formatCount } from '../terminal/format';
import { pricesOfToday } from './prices-of-today';

/** `usage --reprice`: what the turns of a time cost by the current prices. The ledger stays as it is; `write` puts the prices beside it. */
export async function reprice({ range, json, write }: { range: UsageRange; json?: boolean; write?: boolean }) {
  const repricing = await repriceLedger(pathsHere().state, range, pricesOfToday());
  if (write) await writeAll(repricing);
  const changed = repricing.groups.filter((group) => group.changed > 0);
  const kept = repricing.groups.filter(isWorthTelling);
  printReport(json, { written: write === true && changed.length > 0, reprice: changed, kept }, () => toText(changed));
  if (json) return;
  for (const group of kept) printNote(`note: ${explainKept(group)}`);
  if (!write && changed.length > 0) printNote('nothing is written yet; to count with these prices, add --write');
  if (!write || changed.length === 0 || !(await runningDaemon())) return;
  printNote('budgets of the running daemon count with these prices after a restart; run: `drivebay daemon restart`');
}

async function writeAll({ overlays }: Repricing): Promise<void> {
  for (const [file, prices] of overlays) {
    try {
      await writeOverlay(file, prices);
    } catch (error) {
      throw new HintedError(
        `the prices of ${file} cannot be written, and stay as they were: ${messageOf(error)}`,
        `${howToMove('state', isDiskFull(error))}; then run the command again`,
      );
    }
  }
}

/** A provider that is gone and has cost nothing is no news. */
function isWorthTelling({ kept, after }: RepricedGroup): boolean {
  return kept.no_price > 0 || (kept.no_provider > 0 && after.costUsd + after.nominalUsd > 0);
}

function explainKept({ provider, model, kept }: RepricedGroup): string {
  const name = model === null ? provider : `${provider}:${model}`;
  const count = kept.no_price + kept.no_provider;
  const stay = count === 1 ? 'stays as it was' : 'stay as they were';
  const why = kept.no_price > 0 ? 'no price of it is known' : `there is no provider "${provider}" any more`;
  return `${countOf(count, 'turn')} of ${name} ${stay}: ${why}`;
}

function toText(groups: readonly RepricedGroup[]): string {
  if (groups.length === 0) return 'no turn has another price now';
  const total = groups.length > 1 ? [['total', '', ...cellsOf(groups)]] : [];
  const rows = groups.map((group) => [group.provider, group.model ?? '(no model)', ...cellsOf([group])]);
  return formatTable(['Provider', 'Model', 'Turns', 'Changed', 'Before', 'After'], [...rows, ...total]);
}

function cellsOf(groups: readonly RepricedGroup[]): string[] {
  const sum = (of: (group: RepricedGroup) => number) => formatCount(groups.reduce((all, group) => all + of(group), 0));
  const cost = (when: 'before' | 'after') => {
    const { costUsd, nominalUsd } = groups.map((group) => ({ ...NO_TURNS, ...group[when] })).reduce(addTotals);
    return formatCost(costUsd, nominalUsd) || '$0';
  };
  return [sum(({ turns }) => turns), sum(({ changed }) => changed), cost('before'), cost('after')];
}
