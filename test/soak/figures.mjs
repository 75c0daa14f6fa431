import { growthOf } from './judge.mjs';

/** What a run has measured, in words. */
export function describeRun({ loads, killed, samples, pace, yardstick, limits, begun, filesBefore, filesAfter, both }) {
  const count = (state) => loads.map(({ marks }) => marks.all.filter((mark) => mark.state === state).length);
  const growth = growthOf(samples.all);
  const last = samples.all.at(-1);
  const broken = loads.map(
    ({ house }) => [...house.backends.dying.answers.values()].filter(({ state }) => state === 'cut').length,
  );
  const figures = [
    ['questions answered (steady house, killed house)', count('whole').join(', ')],
    ['clients that left', count('left').join(', ')],
    ['answers of a dying target that broke off', broken.join(', ')],
    ['of these, streams whose client was told of it', count('broken').join(', ')],
    ['questions cut by kill -9', count('cut').join(', ')],
    ['lines of the ledger', both.map(({ lines }) => lines).join(', ')],
    ['kill -9', killed.kills.length],
    [
      'growth of memory',
      growth
        ? `${growth.slope.toFixed(2)} ± ${(2 * growth.error).toFixed(2)} MB per 100,000 requests`
        : 'the run is too short',
    ],
    ['memory at the end', `${last.live.toFixed(1)} MB live, ${last.resident.toFixed(0)} MB resident`],
    [
      'event loop late at p99',
      `${last.late.toFixed(1)} ms; less than ${limits.loopMs.toFixed(1)} ms, as the soak itself is ${yardstick.lateMs.toFixed(1)} ms`,
    ],
    [
      'what a killed daemon may lose',
      `the last ${(limits.lostMs / 1000).toFixed(2)} s, as a line of the soak took ${yardstick.worstWriteMs.toFixed(0)} ms at most`,
    ],
    ['rest of the clients at the end', `${pace.factor.toFixed(1)} times the shortest`],
    ['open files before and after', `${filesBefore.length}, ${filesAfter.length}`],
  ];
  return { figures, kills: killed.kills.map(({ at }) => (at - begun) / 1000) };
}
