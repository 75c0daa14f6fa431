import { mayBeLost } from './marks.mjs';
import { slopeOf } from './slope.mjs';

/** A run with fewer points tells nothing of a slope. */
const LEAST_POINTS = 6;
/** The first part of a run fills what has a limit: the events that are kept, the last exchanges, the tables of the engine. */
const WARM_UP = 1 / 3;
const PER = 100_000;

/** How much memory the daemon keeps of 100,000 requests, in MB. `span`: how many times 100,000 it was looked at. Undefined for too short a run. */
export function growthOf(samples) {
  const from = samples.at(-1).seconds * WARM_UP;
  const points = samples
    .filter(({ seconds, live }) => seconds >= from && live !== undefined)
    .map(({ answered, live }) => ({ x: answered / PER, y: live }));
  if (points.length < LEAST_POINTS) return undefined;
  return { ...slopeOf(points), span: points.at(-1).x - points[0].x };
}

/** Growth counts where it is more than the noise of the measurement. */
export function judgeSamples(samples, { slopeMb, fillMb, loopMs }) {
  const faults = [];
  const growth = growthOf(samples);
  const least = growth && growth.slope - 2 * growth.error;
  if (growth && !(least <= slopeMb + fillMb / growth.span))
    faults.push(
      `memory grows by ${growth.slope.toFixed(2)} (± ${(2 * growth.error).toFixed(2)}) MB per 100,000 requests; at most ${slopeMb} MB, and ${fillMb} MB in all`,
    );
  const { late } = samples.at(-1);
  if (!(late < loopMs))
    faults.push(`the event loop is ${late.toFixed(1)} ms late at p99; less than ${loopMs.toFixed(1)} ms`);
  return faults;
}

/** Whether each question was asked of the backends as often as it should be. */
export function judgeQuestions(marks, answers) {
  const counts = new Map();
  for (const { name } of answers.values()) {
    const mark = marks.find(name);
    counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return marks.all.flatMap((mark) => {
    const count = counts.get(mark) ?? 0;
    const { least, most } = mark.asks;
    if (count > most) return [`${mark.kind} ${mark.name} was asked ${count} times, ${most} at most`];
    if (mark.state === 'whole' && count < least)
      return [`${mark.kind} ${mark.name} was asked ${count} times, at least ${least}`];
    if (mark.state === 'asked') return [`${mark.kind} ${mark.name} was never answered`];
    return [];
  });
}

export const isUnended = ({ state }) => state === 'created' || state === 'running';

/** Whether each agent has a record with its end, and the right one. */
export function judgeAgents(marks, processes, { kills, lostMs }) {
  const states = new Map(processes.map(({ uuid, state }) => [uuid, state]));
  const unended = processes.filter(isUnended);
  return [
    ...unended.map(({ pid, state }) => `process ${pid} of an agent has no end: ${state}`),
    ...marks.all.flatMap((mark) => {
      const { uuid, state, name } = mark;
      if (uuid === undefined) return [];
      const found = states.get(uuid) ?? 'nothing';
      const isRight = state === 'whole' && !mayBeLost(mark, kills, lostMs) ? found === 'done' : states.has(uuid);
      return isRight ? [] : [`the agent ${name} is ${state} for its user, and ${found} in its record`];
    }),
  ];
}
