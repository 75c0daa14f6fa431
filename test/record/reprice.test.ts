import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ledgerEntries } from '../../core/record/ledger-entries';
import { ledgerFile } from '../../core/record/ledger-files';
import { type TurnPrice, writeOverlay } from '../../core/record/price-overlay';
import { type KeepReason, repriceLedger, type UsedTurn } from '../../core/record/reprice';
import { newState } from './store';

const NOW = Date.now();
const ALL = { from: 0, to: NOW + 1 };
const usage = { inputTokens: 10, outputTokens: 2 };
const turn = { time: NOW, provider: 'p', model: 'm', usage, costUsd: 9, priced: 'token', ok: true };
const file = (state: string) => ledgerFile(state, NOW);

function booked(...turns: object[]): string {
  const state = newState();
  mkdirSync(dirname(file(state)), { recursive: true });
  writeFileSync(file(state), turns.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return state;
}

const at = (usd: number) => (entry: UsedTurn) =>
  Promise.resolve<TurnPrice | KeepReason>(
    entry.model === 'unknown' ? 'no_price' : { costUsd: usd, nominalUsd: undefined, priced: 'model' },
  );

async function write(state: string, usd: number, range = ALL) {
  const { groups, overlays } = await repriceLedger(state, range, at(usd));
  for (const [month, prices] of overlays) await writeOverlay(month, prices);
  return groups;
}

async function costs(state: string): Promise<number[]> {
  const found = [];
  for await (const { costUsd } of ledgerEntries(state, ALL)) found.push(costUsd);
  return found;
}

test('a range changes only its own turns, and leaves what was written for others', async () => {
  const state = booked({ ...turn, time: NOW - 2 }, { ...turn, time: NOW - 1 }, turn);
  await write(state, 3, { from: 0, to: NOW - 1 });
  await write(state, 4, { from: NOW, to: NOW + 1 });
  expect(await costs(state)).toEqual([3, 9, 4]);
  await write(state, 9, { from: 0, to: NOW - 1 });
  expect(await costs(state)).toEqual([9, 9, 4]);
});

test('a turn without a price of today keeps the one of before, that of an earlier repricing too', async () => {
  const state = booked({ ...turn, model: 'unknown' }, turn);
  await writeOverlay(file(state), new Map([[1, { time: NOW, price: { ...turn, costUsd: 7, nominalUsd: undefined } }]]));
  const groups = await write(state, 3);
  expect(await costs(state)).toEqual([7, 3]);
  expect(groups).toMatchObject([
    { model: 'm', turns: 1, changed: 1, before: { costUsd: 9 }, after: { costUsd: 3 } },
    { model: 'unknown', turns: 1, changed: 0, after: { costUsd: 7 }, kept: { no_price: 1 } },
  ]);
});

test('what was charged, what has used nothing, and a price whose source nobody has noted stay', async () => {
  const { priced: _, ...old } = turn;
  const state = booked({ ...turn, priced: 'backend' }, { ...turn, usage: undefined }, old, { ...old, costUsd: 0 });
  await write(state, 3);
  expect(await costs(state)).toEqual([9, 9, 9, 3]);
});

test('turns that a daemon books meanwhile have the price that it gave them', async () => {
  const state = booked(turn, turn);
  const { overlays } = await repriceLedger(state, ALL, at(3));
  appendFileSync(file(state), `${JSON.stringify({ ...turn, costUsd: 5 })}\n`);
  for (const [month, prices] of overlays) await writeOverlay(month, prices);
  expect(await costs(state)).toEqual([3, 3, 5]);
});
