import { Redactor } from '../../core/contract/redact';
import { LimitBook } from '../../core/limits/limit-book';
import { Ledger, type LedgerEntry } from '../../core/record/ledger';
import { TempHome } from '../setup/temp-home';

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const fields = { budget_usd: { day: 100, month: 100 } };
const turn = { provider: 'main', driver: 'd', asker: { type: 'chat' }, ok: true } as const;

async function spentOf(account: string, ...turns: Partial<LedgerEntry>[]): Promise<number[]> {
  const state = new TempHome().directory;
  const ledger = new Ledger({ state, redactor: new Redactor(), log });
  for (const each of turns) ledger.book({ ...turn, time: Date.now(), costUsd: 0, ...each });
  const limits = new LimitBook({ state, ledger, log }).of({ type: 'provider', name: 'main' }, fields, account)!;
  await limits.restoring;
  return limits.state().budgets.map(({ spentUsd }) => spentUsd);
}

test('after a restart an account has spent what was booked for it, and no other one of the same provider', async () => {
  const turns = [
    { account: 'one', costUsd: 1 },
    { account: 'two', costUsd: 2 },
  ];
  expect(await spentOf('one', ...turns)).toEqual([1, 1]);
  expect(await spentOf('two', ...turns)).toEqual([2, 2]);
});

test('a turn of a version that booked no account counts for each account', async () => {
  expect(await spentOf('one', { costUsd: 4 }, { account: 'two', costUsd: 2 })).toEqual([4, 4]);
});
