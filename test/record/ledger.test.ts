import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../core/contract/api';
import { Redactor } from '../../core/contract/redact';
import { Ledger, type LedgerEntry } from '../../core/record/ledger';
import { ledgerFile, pruneLedger } from '../../core/record/ledger-files';
import { summarizeUsage } from '../../core/record/usage-summary';
import { tempFolder } from '../setup/temp-folder';
import { until } from './store';

const root = tempFolder();
let count = 0;
const newState = () => join(root, `state-${++count}`);

function openLedger(state: string, redactor = new Redactor()) {
  const warnings: string[] = [];
  const quiet = () => undefined;
  const log: Logger = { debug: quiet, info: quiet, warn: (message) => void warnings.push(message), error: quiet };
  return { ledger: new Ledger({ state, redactor, log }), warnings };
}

const NOVEMBER = Date.UTC(2026, 10, 21, 12);
const DAY = 24 * 60 * 60 * 1000;

const entry = (more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  time: NOVEMBER,
  provider: 'p',
  driver: 'd',
  model: 'm',
  asker: { type: 'gateway' },
  usage: { inputTokens: 10, outputTokens: 2 },
  costUsd: 0.25,
  ok: true,
  ...more,
});

const EVER = { from: 0, to: Date.UTC(2100, 0) };

test('a turn is a line in the file of its month, soon and without being asked for', async () => {
  const state = newState();
  const { ledger } = openLedger(state);
  // What drivers add to the usage is theirs.
  const usage = { type: 'usage', inputTokens: 10, outputTokens: 2, extra: { more: 1 } } as LedgerEntry['usage'] &
    object;
  ledger.book(entry({ usage, asker: { type: 'process', pid: 7 }, project: '/work' }));
  const file = join(state, 'usage/2026-11.ndjson');
  await until(() => statSync(file, { throwIfNoEntry: false })?.size);
  const line = readFileSync(file, 'utf8');
  expect(line.endsWith('}\n')).toBe(true);
  const { asker: _, ...written } = entry({ project: '/work', usage: { inputTokens: 10, outputTokens: 2 } });
  expect(JSON.parse(line)).toEqual({ ...written, source: 7 });
  expect([statSync(join(state, 'usage')), statSync(file)].map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
});

test('months are those of UTC, and each has its file', async () => {
  const state = newState();
  const { ledger } = openLedger(state);
  ledger.book(entry({ time: Date.UTC(2026, 10, 30, 23, 59, 59, 999) }));
  ledger.book(entry({ time: Date.UTC(2026, 11, 1) }));
  await ledger.flush();
  for (const month of ['2026-11', '2026-12']) {
    expect(
      readFileSync(join(state, `usage/${month}.ndjson`), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(1);
  }
  expect(await summarizeUsage(state, { by: 'provider', ...EVER })).toMatchObject([{ turns: 2 }]);
});

test('summaries add up by provider, project and day', async () => {
  const state = newState();
  const { ledger } = openLedger(state);
  const cached = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 60, cacheWriteInputTokens: 5 };
  ledger.book(entry({ provider: 'a', project: '/x', usage: cached }));
  ledger.book(entry({ provider: 'b', project: '/x', ok: false, costUsd: 0 }));
  const { usage: _, ...unknown } = entry({ provider: 'a', time: NOVEMBER + DAY, ok: false });
  ledger.book(unknown);
  await ledger.flush();
  const none = { cachedInputTokens: 0, cacheWriteInputTokens: 0 };
  expect(await summarizeUsage(state, { by: 'provider', ...EVER })).toEqual([
    { key: 'a', turns: 2, failed: 1, ...cached, costUsd: 0.5 },
    { key: 'b', turns: 1, failed: 1, inputTokens: 10, outputTokens: 2, ...none, costUsd: 0 },
  ]);
  expect(await summarizeUsage(state, { by: 'project', ...EVER })).toMatchObject([
    { key: null, turns: 1, inputTokens: 0 },
    { key: '/x', turns: 2, inputTokens: 110 },
  ]);
  const days = (await summarizeUsage(state, { by: 'day', ...EVER })).map(({ key, turns }) => `${key} ${turns}`);
  expect(days).toEqual(['2026-11-21 2', '2026-11-22 1']);
});

test('a range takes its begin in and leaves its end out', async () => {
  const state = newState();
  const { ledger } = openLedger(state);
  const times = [NOVEMBER - 1, NOVEMBER, NOVEMBER + DAY - 1, NOVEMBER + DAY];
  times.forEach((time) => ledger.book(entry({ time })));
  ledger.book(entry({ time: NOVEMBER + 40 * DAY }));
  await ledger.flush();
  expect(await summarizeUsage(state, { by: 'provider', from: NOVEMBER, to: NOVEMBER + DAY })).toMatchObject([
    { turns: 2 },
  ]);
});

test('without a ledger there is nothing to add up', async () => {
  expect(await summarizeUsage(newState(), { by: 'day', ...EVER })).toEqual([]);
});

test('torn and foreign lines are left out, and what comes after is not', async () => {
  const state = newState();
  const first = openLedger(state).ledger;
  first.book(entry());
  await first.flush();
  appendFileSync(ledgerFile(state, NOVEMBER), 'garbage\n{"time":"x"}\n{"time":17951');
  const next = openLedger(state).ledger;
  next.book(entry());
  await next.flush();
  expect(await summarizeUsage(state, { by: 'provider', ...EVER })).toMatchObject([{ turns: 2 }]);
});

test('two writers at once lose nothing', async () => {
  const state = newState();
  const ledgers = [openLedger(state).ledger, openLedger(state).ledger];
  for (let round = 0; round < 20; round++) {
    for (const ledger of ledgers) for (let at = 0; at < 25; at++) ledger.book(entry());
    await Promise.all(ledgers.map((ledger) => ledger.flush()));
  }
  expect(await summarizeUsage(state, { by: 'provider', ...EVER })).toMatchObject([{ turns: 1_000 }]);
});

test('a model is any text of a client: it is cut, and no key in it is kept', async () => {
  const state = newState();
  const redactor = new Redactor();
  redactor.add('key-12345678');
  const { ledger } = openLedger(state, redactor);
  ledger.book(entry({ model: `${'x'.repeat(194)}key-12345678${'y'.repeat(1e6)}` }));
  await ledger.flush();
  const text = readFileSync(ledgerFile(state, NOVEMBER), 'utf8');
  expect(text).not.toMatch(/key-1/);
  expect(text.length).toBeLessThan(500);
});

test('a folder that cannot be written costs one warning', async () => {
  const state = newState();
  writeFileSync(state, '');
  const { ledger, warnings } = openLedger(state);
  for (const _ of [1, 2]) {
    ledger.book(entry());
    await ledger.flush();
  }
  expect(warnings).toEqual([expect.stringMatching(/^usage cannot be kept in .*usage: ENOTDIR/)]);
});

describe('old months', () => {
  function given(...months: string[]): string {
    const state = newState();
    mkdirSync(join(state, 'usage'), { recursive: true });
    for (const month of months) writeFileSync(join(state, `usage/${month}.ndjson`), 'x'.repeat(100));
    writeFileSync(join(state, 'usage/notes.txt'), 'of the user');
    return state;
  }
  const kept = (state: string) => readdirSync(join(state, 'usage'));

  test('are kept until the same month of the next year is over', async () => {
    const state = given('2024-12', '2025-10', '2025-11', '2026-11');
    await pruneLedger(state, undefined, NOVEMBER);
    expect(kept(state)).toEqual(['2025-11.ndjson', '2026-11.ndjson', 'notes.txt']);
  });

  test('go before that where they are too large together, the oldest first, and never the current one', async () => {
    const state = given('2026-08', '2026-09', '2026-10', '2026-11');
    await pruneLedger(state, { months: 13, bytes: 200 }, NOVEMBER);
    expect(kept(state)).toEqual(['2026-10.ndjson', '2026-11.ndjson', 'notes.txt']);
    await pruneLedger(state, { months: 13, bytes: 1 }, NOVEMBER);
    expect(kept(state)).toEqual(['2026-11.ndjson', 'notes.txt']);
  });

  test('need not be there', async () => {
    await expect(pruneLedger(newState())).resolves.toBeUndefined();
  });
});
