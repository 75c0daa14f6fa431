import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redactor } from '../../core/contract/redact';
import { Ledger, type LedgerEntry } from '../../core/record/ledger';
import { ledgerFile, pruneLedger } from '../../core/record/ledger-files';
import { summarizeUsage, type UsageQuery } from '../../core/record/usage-summary';
import { until } from '../setup/until';
import { newState, warningLog } from './store';

function openLedger(state = newState(), redactor = new Redactor()) {
  const { log, warnings } = warningLog();
  return { state, ledger: new Ledger({ state, redactor, log }), warnings };
}

const NOVEMBER = new Date(2026, 10, 21, 12).getTime();
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

/** A state folder with these turns in its ledger. */
async function booked(...entries: LedgerEntry[]): Promise<string> {
  const { state, ledger } = openLedger();
  for (const each of entries) ledger.book(each);
  await ledger.flush();
  return state;
}

const sums = (state: string, more: Partial<UsageQuery> = {}) =>
  summarizeUsage(state, { by: 'provider', from: 0, to: Date.UTC(2100, 0), ...more });

test('a turn is a line in the file of its month, soon and without being asked for', async () => {
  const { state, ledger } = openLedger();
  // The fields that drivers add to the usage stay out.
  const usage: object = { type: 'usage', inputTokens: 10, outputTokens: 2, extra: { more: 1 } };
  ledger.book(entry({ usage: usage as LedgerEntry['usage'], asker: { type: 'process', pid: 7 }, project: '/work' }));
  const file = join(state, 'usage/2026-11.ndjson');
  await until(() => statSync(file, { throwIfNoEntry: false })?.size);
  const line = readFileSync(file, 'utf8');
  expect(line.endsWith('}\n')).toBe(true);
  const { asker: _, ...written } = entry({ project: '/work', usage: { inputTokens: 10, outputTokens: 2 } });
  expect(JSON.parse(line)).toEqual({ ...written, source: 7 });
  expect([statSync(join(state, 'usage')), statSync(file)].map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
});

test('months are those of UTC, and each has its file', async () => {
  const last = entry({ time: Date.UTC(2026, 10, 30, 23, 59, 59, 999) });
  const state = await booked(last, entry({ time: Date.UTC(2026, 11, 1) }));
  for (const month of ['2026-11', '2026-12']) {
    expect(readFileSync(join(state, `usage/${month}.ndjson`), 'utf8').trim()).not.toContain('\n');
  }
  expect(await sums(state)).toMatchObject([{ turns: 2 }]);
});

test('summaries add up by provider, project and day', async () => {
  const cached = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 60, cacheWriteInputTokens: 5 };
  const state = await booked(
    entry({ provider: 'a', project: '/x', usage: cached }),
    entry({ provider: 'b', project: '/x', ok: false, costUsd: 0 }),
    entry({ provider: 'a', time: NOVEMBER + DAY, ok: false, usage: undefined }),
  );
  const none = { cachedInputTokens: 0, cacheWriteInputTokens: 0, nominalUsd: 0 };
  expect(await sums(state)).toEqual([
    { key: 'a', turns: 2, failed: 1, ...none, ...cached, costUsd: 0.5 },
    { key: 'b', turns: 1, failed: 1, inputTokens: 10, outputTokens: 2, ...none, costUsd: 0 },
  ]);
  expect(await sums(state, { by: 'project' })).toMatchObject([
    { key: null, turns: 1, inputTokens: 0 },
    { key: '/x', turns: 2, inputTokens: 110 },
  ]);
  const days = (await sums(state, { by: 'day' })).map(({ key, turns }) => `${key} ${turns}`);
  expect(days).toEqual(['2026-11-21 2', '2026-11-22 1']);
});

test('split sums have a row for each provider of a key', async () => {
  const state = await booked(...['b', 'a', 'b'].map((provider) => entry({ provider })));
  const rows = (await sums(state, { by: 'day', split: 'provider' })).map(({ part, turns }) => `${part} ${turns}`);
  expect(rows).toEqual(['a 1', 'b 2']);
});

test('so they have for each model', async () => {
  const state = await booked(...['m', 'n', 'm'].map((model) => entry({ model })));
  expect(await sums(state, { by: 'day', split: 'model' })).toMatchObject([
    { part: 'm', turns: 2 },
    { part: 'n', turns: 1 },
  ]);
});

test('a range includes its first moment, and not its last', async () => {
  const times = [NOVEMBER - 1, NOVEMBER, NOVEMBER + DAY - 1, NOVEMBER + DAY, NOVEMBER + 40 * DAY];
  const state = await booked(...times.map((time) => entry({ time })));
  expect(await sums(state, { from: NOVEMBER, to: NOVEMBER + DAY })).toMatchObject([{ turns: 2 }]);
});

test('without a ledger there is nothing to drop and nothing to add up', async () => {
  const state = newState();
  await pruneLedger(state);
  expect(await sums(state)).toEqual([]);
});

test('torn and foreign lines are left out, but not the lines after them', async () => {
  const state = await booked(entry());
  appendFileSync(ledgerFile(state, NOVEMBER), 'garbage\n{"time":"x"}\n{"time":17951');
  const { ledger } = openLedger(state);
  ledger.book(entry());
  await ledger.flush();
  expect(await sums(state)).toMatchObject([{ turns: 2 }]);
});

test('of very many calls, each is one line of its month in its order, and each watcher gets it once', async () => {
  const { state, ledger } = openLedger();
  const watched: number[] = [];
  ledger.watch((entries) => watched.push(...entries.map(({ time }) => time)));
  const times = Array.from({ length: 1000 }, (_, at) => Date.UTC(2026, 11, 1) + at - 500);
  for (const time of times) ledger.book(entry({ time }));
  await ledger.flush();
  const lines = ['2026-11', '2026-12'].flatMap((month) =>
    readFileSync(join(state, `usage/${month}.ndjson`), 'utf8')
      .trimEnd()
      .split('\n'),
  );
  expect(lines.map((line) => (JSON.parse(line) as LedgerEntry).time)).toEqual(times);
  expect(watched).toEqual(times);
});

test('two writers at once lose nothing', async () => {
  const state = newState();
  const ledgers = [openLedger(state).ledger, openLedger(state).ledger];
  for (let round = 0; round < 20; round++) {
    for (const ledger of ledgers) for (let at = 0; at < 25; at++) ledger.book(entry());
    await Promise.all(ledgers.map((ledger) => ledger.flush()));
  }
  expect(await sums(state)).toMatchObject([{ turns: 1_000 }]);
});

test('a model is any text of a client: it is cut, and no key in it is kept', async () => {
  const redactor = new Redactor();
  redactor.add('key-12345678');
  const { state, ledger } = openLedger(newState(), redactor);
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
});
