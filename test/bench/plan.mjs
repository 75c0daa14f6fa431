import { spawnSync } from 'node:child_process';

/** How much of everything one run does. */
const FULL = {
  rounds: 3,
  cold: 4000,
  warmUp: 10_000,
  blocks: 4,
  requestsPerBlock: 2500,
  latenciesPerBlock: 500,
  firstChunks: 300,
  coldStreams: 300,
  warmUpStreams: 10_000,
  pacedStreams: 100,
  pacedBlocks: 3,
  pacedChunks: 100,
  heldStreams: 2000,
  holdMs: 5000,
  starts: 3,
  warmUpRuns: 1000,
  runs: 200,
  lines: 300,
  crowds: 4,
  cancels: 200,
  commands: 5,
  events: 100_000,
  warmChats: 10,
  warmUpChats: 50,
  warmUpToolCalls: 300,
  toolCalls: 1000,
  limitMs: 90_000,
};

/** Enough to see that everything runs; far too little for its numbers to mean anything. */
const QUICK = {
  ...FULL,
  rounds: 1,
  cold: 500,
  warmUp: 2000,
  blocks: 2,
  requestsPerBlock: 500,
  latenciesPerBlock: 100,
  firstChunks: 50,
  coldStreams: 50,
  warmUpStreams: 1000,
  pacedBlocks: 1,
  pacedChunks: 50,
  heldStreams: 200,
  holdMs: 2000,
  warmUpRuns: 5,
  runs: 20,
  lines: 50,
  crowds: 1,
  cancels: 40,
  commands: 1,
  events: 10_000,
  warmChats: 2,
  warmUpChats: 2,
  warmUpToolCalls: 20,
  toolCalls: 50,
  limitMs: 25_000,
};

/** The plan, with no more held streams than there may be open files: a proxy needs two for each. */
export function makePlan({ quick }) {
  const plan = quick ? QUICK : FULL;
  const limit = Number.parseInt(spawnSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).stdout, 10);
  const possible = Number.isNaN(limit) ? Infinity : Math.floor((limit - 200) / 2);
  if (possible >= plan.heldStreams) return plan;
  return {
    ...plan,
    heldStreams: possible,
    note: `only ${possible} held streams, because \`ulimit -n\` is ${limit}: raise it to ${plan.heldStreams * 2 + 200}`,
  };
}
