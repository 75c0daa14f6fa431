import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Redactor } from '../../core/contract/redact';
import { LimitBook } from '../../core/limits/limit-book';
import { Ledger, type LedgerEntry } from '../../core/record/ledger';
import { ledgerFile } from '../../core/record/ledger-files';
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

test('lines of the ledger that cannot be read are a warning, because a budget then begins too low', async () => {
  const state = new TempHome().directory;
  const file = ledgerFile(state, Date.now());
  mkdirSync(dirname(file));
  writeFileSync(file, 'rubbish\nrubbish\n');
  const warnings: string[] = [];
  const parts = { ledger: new Ledger({ state, redactor: new Redactor(), log }), state };
  const book = new LimitBook({ ...parts, log: { ...log, warn: (message) => void warnings.push(message) } });
  await book.of({ type: 'provider', name: 'main' }, fields)!.restoring;
  expect(warnings).toEqual([expect.stringMatching(`^limits may begin too low: 2 lines of ${file} cannot be read; `)]);
});
