import { parseArgs } from 'node:util';
import { SABOTAGES } from './sabotage.mjs';

/** From here on a run is long enough, and is expected to have the machine to itself, so that the tight limits hold. */
const WHOLE_SECONDS = 600;
/** Below it a run shows that everything works, and little of memory. */
const SHORT_SECONDS = 120;

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
  return { seconds, report, help, sabotages, limits: limitsOf(seconds) };
}

/**
 * What a run is held to. A short one has too few requests to see ten bytes of each, and a machine for tests is shared: there the
 * limits find what grows with every request, and what stops the event loop. `quietMs`: how late the soak itself may be, which
 * does nothing of the kind; on a machine that is busier than that, nothing can be said of the daemon. `lostMs`: a daemon that
 * is killed may lose what ended so long before. docs/daemon.md says 100 ms; a busy machine adds to that.
 */
function limitsOf(seconds) {
  const killEveryS = Math.min(60, Math.floor(seconds / 4));
  const sampleS = Math.min(10, Math.max(1, Math.floor(seconds / 36)));
  const times = { killEveryS, sampleS };
  if (seconds >= WHOLE_SECONDS) return { loopMs: 50, quietMs: Infinity, slopeMb: 1, lostMs: 1_000, ...times };
  return { loopMs: 1_000, quietMs: 100, slopeMb: seconds >= SHORT_SECONDS ? 10 : 1_000, lostMs: 5_000, ...times };
}
