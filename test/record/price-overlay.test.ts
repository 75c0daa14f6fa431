import { appendFileSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LimitBook } from '../../core/limits/limit-book';
import { ledgerEntries } from '../../core/record/ledger-entries';
import { ledgerFile, overlayFile, pruneLedger } from '../../core/record/ledger-files';
import { type OverlaidPrice, writeOverlay } from '../../core/record/price-overlay';
import { newState, warningLog } from './store';

const NOW = Date.now();
const ALL = { from: 0, to: NOW + 1 };

/** A state folder with the turns in the ledger of this month. */
function booked(costs: readonly number[]) {
  const state = newState();
  const file = ledgerFile(state, NOW);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, costs.map(lineOf).join(''));
  return { state, file };
}

function lineOf(costUsd: number): string {
  return `${JSON.stringify({ time: NOW, provider: 'p', costUsd, priced: 'token', ok: true })}\n`;
}

const priced = (costUsd: number, time = NOW): OverlaidPrice => ({
  time,
  price: { costUsd, nominalUsd: undefined, priced: 'model' },
});

async function costs(state: string): Promise<number[]> {
  const found = [];
  for await (const { costUsd } of ledgerEntries(state, ALL)) found.push(costUsd);
  return found;
}

test('prices take the place of those that were booked, by line; lines that come later have their own', async () => {
  const { state, file } = booked([1, 2, 3]);
  await writeOverlay(file, new Map([[2, priced(0.5)]]));
  appendFileSync(file, lineOf(4));
  expect(await costs(state)).toEqual([1, 0.5, 3, 4]);
});

test('a line that a crash has torn counts as a line', async () => {
  const { state, file } = booked([1]);
  appendFileSync(file, `{"time":${NOW},"prov\n${lineOf(2)}`);
  await writeOverlay(file, new Map([[3, priced(0.5)]]));
  expect(await costs(state)).toEqual([1, 0.5]);
});

test('a price is not that of another line at the same place', async () => {
  const { state, file } = booked([1, 2]);
  await writeOverlay(file, new Map([[1, priced(0.5, NOW - 1)]]));
  expect(await costs(state)).toEqual([1, 2]);
});

test('nothing is left of prices that are as they were booked, nor of those that cannot be written', async () => {
  const { file } = booked([1]);
  const names = () => readdirSync(dirname(file)).length;
  await writeOverlay(file, new Map([[1, priced(0.5)]]));
  expect(names()).toBe(2);
  await writeOverlay(file, new Map());
  expect(names()).toBe(1);
  mkdirSync(overlayFile(file));
  await expect(writeOverlay(file, new Map([[1, priced(0.5)]]))).rejects.toThrow();
  expect(names()).toBe(2);
});

test('prices go with their month, and what a killed command has left goes after a while', async () => {
  const { state, file } = booked([1]);
  const old = ledgerFile(state, Date.UTC(2020, 0));
  writeFileSync(old, '');
  for (const each of [file, old]) await writeOverlay(each, new Map([[1, priced(0.5)]]));
  const [stale, young] = ['0', '1'].map((end) => join(dirname(file), `.prices.drivebay-0123abc${end}`)) as [
    string,
    string,
  ];
  for (const each of [stale, young]) writeFileSync(each, '');
  utimesSync(stale, new Date(0), new Date(0));
  await pruneLedger(state);
  const left = [file, overlayFile(file), young, stale, old, overlayFile(old)].map((each) => existsSync(each));
  expect(left).toEqual([true, true, true, false, false, false]);
});

test('a budget is restored with these prices', async () => {
  const { state, file } = booked([5, 5]);
  await writeOverlay(file, new Map([[1, priced(0.5)]]));
  const book = new LimitBook({ state, ledger: { flush: () => Promise.resolve() }, log: warningLog().log });
  const limits = book.of({ type: 'provider', name: 'p' }, { budget_usd: { month: 100 } })!;
  await limits.restoring;
  expect(limits.state().budgets).toMatchObject([{ spentUsd: 5.5 }]);
});
