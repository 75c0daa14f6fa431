import { parseArgs } from 'node:util';
import { SABOTAGES } from './sabotage.mjs';

/** From here on a run is long enough for the tight limit of memory. */
const WHOLE_SECONDS = 600;
const WHOLE_GROWTH = { slopeMb: 1, fillMb: 0 };
/** Rings and the tables of the engine still fill, whatever the number of requests. */
const SHORT_GROWTH = { slopeMb: 10, fillMb: 6 };

export const USAGE = `usage: npm run soak -- [--seconds N] [--report FILE] [--sabotage NAME,...]
  --seconds N      how long the load lasts (default 600; 30 shows that everything works)
  --report FILE    where the report goes (default soak.html)
  --sabotage ...   breaks something, so that the soak has to fail: ${Object.keys(SABOTAGES).join(', ')}`;

/** Throws an error with a message for the user when the options make no sense. */
export function parseOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: String(WHOLE_SECONDS) },
      report: { type: 'string', default: 'soak.html' },
      sabotage: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const seconds = Number(values.seconds);
  if (!Number.isInteger(seconds) || seconds < 15) throw new Error('--seconds takes a whole number, at least 15');
  const { sabotage, report, help } = values;
  const names = sabotage?.split(',') ?? [];
  const unknown = names.filter((name) => !(name in SABOTAGES));
  if (unknown.length > 0) throw new Error(`unknown sabotage ${unknown.join(', ')}`);
  const sabotages = names.map((name) => SABOTAGES[name]);
  return { seconds, report, help, sabotages, ...planOf(seconds) };
}

function planOf(seconds) {
  const killEveryS = Math.min(60, Math.floor(seconds / 4));
  const sampleS = Math.min(10, Math.max(1, Math.floor(seconds / 36)));
  const times = { killEveryS, sampleS, restEveryS: Math.max(10, Math.floor(seconds / 20)) };
  return { times, growth: seconds >= WHOLE_SECONDS ? WHOLE_GROWTH : SHORT_GROWTH };
}

const LOOP_MS = 50;
const LOST_MS = 1_000;
/** A daemon has more to do than the soak where the machine has no time for either: it was four times as late, at most. */
const BUSIER = 6;

/**
 * What a daemon is held to, on a machine that lets the soak itself do so much. `lostMs`: a daemon that is killed may lose what
 * ended so long before; docs/daemon.md says 100 ms, and two writes.
 */
export function limitsFor({ lateMs, worstWriteMs }) {
  return { loopMs: Math.max(LOOP_MS, BUSIER * lateMs), lostMs: LOST_MS + BUSIER * worstWriteMs };
}
