import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mayBeLost } from './marks.mjs';

/** The lines of the ledger of a house, and those that cannot be read. */
export function readLedger({ state }) {
  const folder = join(state, 'usage');
  const texts = readdirSync(folder).filter((name) => /^\d{4}-\d{2}\.ndjson$/.test(name));
  const lines = texts
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '');
  const entries = [];
  const unreadable = [];
  for (const line of lines) {
    try {
      entries.push(JSON.parse(line));
    } catch {
      unreadable.push(line);
    }
  }
  return { entries, unreadable };
}

/** What `drivebay usage` makes of the ledger: the sums of its lines. */
export function judgeUsage({ entries }, usage, house) {
  return usage.flatMap(({ key, turns, inputTokens }) => {
    const own = entries.filter(({ provider }) => provider === key);
    const sum = own.reduce((total, each) => total + (each.usage?.inputTokens ?? 0), 0);
    if (turns === own.length && inputTokens === sum) return [];
    const [said, found] = [`${turns} turns and ${inputTokens} tokens`, `${own.length} and ${sum}`];
    return [`drivebay usage tells of ${said} of ${key} in the ${house} house; the ledger has ${found}`];
  });
}

/**
 * Compares the ledger with what backends have counted. `answers`: each with its number and its mark. Every answer that a client
 * has got is one line, unless its daemon was killed within `lostMs`; no line is of an answer that is not there, or there twice.
 */
export function judgeLedger({ entries, unreadable }, { answers, marks, kills, lostMs }) {
  // docs/daemon.md: a kill may leave half a line, which is not read.
  const faults = unreadable
    .slice(kills.length)
    .map((line) => `a line of the ledger cannot be read: ${line.slice(0, 200)}`);
  const lines = new Map();
  for (const { usage, provider, time } of entries) {
    const number = usage?.inputTokens;
    if (number === undefined || number === 0) continue;
    if (!answers.has(number))
      faults.push(`the ledger has an answer of ${provider} that no backend has given (${number}, ${time})`);
    if (lines.has(number)) faults.push(`the ledger has the answer ${number} of ${provider} twice`);
    lines.set(number, provider);
  }
  for (const { number, name } of answers.values()) {
    const mark = marks.find(name);
    // What a target of a route has begun, and another one has answered, is no answer.
    const isAnswer = mark?.state === 'whole' && (mark.asks.least > 1 || mark.number === number);
    if (!isAnswer || lines.has(number)) continue;
    if (mayBeLost(mark, kills, lostMs)) continue;
    const next = kills.find(({ at }) => at > mark.endedAt);
    const when = next ? `, which its client had ${next.at - mark.endedAt} ms before a kill` : '';
    faults.push(`the ledger has no line of the answer ${number} (${mark.kind} ${name}${when})`);
  }
  return faults;
}
