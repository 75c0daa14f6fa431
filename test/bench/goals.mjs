import { hasProc } from './process-usage.mjs';
import { OTHER_DOORS } from './doors.mjs';
import { median } from './results.mjs';
import { FAKE_CLIS } from './fake-clis.mjs';
import { PEERS } from './peers.mjs';
import { SDK_DRIVERS } from './sdk-drivers.mjs';
import { WARM_CLIS } from './warm-clis.mjs';

/** How one sample becomes the number that is judged, and how that is written. */
const KINDS = {
  timesFloor: { of: (sample) => sample.gateway / sample.floor, unit: ' x floor' },
  timesChat: { of: (sample) => sample.gateway / sample.floor, unit: ' x chat' },
  timesProvider: { of: (sample) => sample.gateway / sample.floor, unit: ' x provider' },
  timesOpen: { of: (sample) => sample.gateway / sample.floor, unit: ' x no clients' },
  timesBase: { of: (sample) => sample.gateway / sample.base, unit: ' x direct' },
  addedToBase: { of: (sample) => sample.gateway - sample.base, unit: ' ms added' },
  absolute: { of: (sample) => sample.gateway, unit: '' },
  timesSooner: { of: (sample) => sample.base / sample.gateway, unit: ' x sooner' },
};

/** A tool of a server that runs. */
const TOOL_METRICS = ['tools.stdioList', 'tools.stdioCall', 'tools.httpList', 'tools.httpCall'];

/** The rows of the table. `linux` marks numbers that come from /proc; a row without `must` is for information. */
const ROWS = [
  { scenario: 'requests', metric: 'requestCpu', label: 'CPU per request, 10 connections (µs)', kind: 'timesFloor' },
  { scenario: 'requests', metric: 'coldCpu', label: '  the same, first requests of a process', kind: 'timesFloor' },
  { scenario: 'requests', metric: 'requestRate', label: 'requests/s, 10 connections', kind: 'timesFloor' },
  { scenario: 'requests', metric: 'requestP99', label: 'p99 of a request, 10 connections (ms)', kind: 'timesFloor' },
  { scenario: 'latency', metric: 'latency', label: 'p50, 1 connection (ms)', kind: 'addedToBase' },
  { scenario: 'overhead', metric: 'overhead', label: 'own overhead, 100 at once, p50 (ms)', kind: 'absolute' },
  { scenario: 'overhead', metric: 'overheadP99', label: '  the same, p99 (ms)', kind: 'absolute' },
  { scenario: 'first-chunk', metric: 'firstChunk', label: 'first chunk of a stream (ms)', kind: 'addedToBase' },
  {
    scenario: 'first-chunk',
    metric: 'coldFirstChunk',
    label: '  the same, first streams of a process',
    kind: 'addedToBase',
  },
  { scenario: 'paced', metric: 'chunkCpu', label: 'CPU per chunk, 100 paced streams (µs)', kind: 'timesFloor' },
  { scenario: 'paced', metric: 'chunkP99', label: 'p99 of a relayed chunk, 100 streams (ms)', kind: 'timesFloor' },
  { scenario: 'held', metric: 'streamMemory', label: 'memory per held stream (kB)', kind: 'absolute' },
  { scenario: 'held', metric: 'leftOpen', label: 'upstream calls 1.5 s after all left', kind: 'absolute', worst: true },
  { scenario: 'start', metric: 'start', label: 'start to /health; direct: `node -e 0` (ms)', kind: 'timesBase' },
  { scenario: 'idle', metric: 'idleMemory', label: 'idle memory (MB)', kind: 'absolute' },
  { scenario: 'spawn', metric: 'runTime', label: 'CLI run, p50; direct: the program alone (ms)', kind: 'addedToBase' },
  { scenario: 'spawn', metric: 'runCpu', label: '  own CPU per run (ms)', kind: 'addedToBase' },
  { scenario: 'spawn', metric: 'lineTime', label: '  line at the CLI to chunk here, p50 (ms)', kind: 'absolute' },
  ...Object.keys(FAKE_CLIS).flatMap((cli) => [
    {
      scenario: 'spawn',
      metric: `${cli}.crowdTime`,
      label: `50 runs at once, ${cli}, until all end (ms)`,
      kind: 'timesBase',
    },
    { scenario: 'spawn', metric: `${cli}.crowdHealth`, label: `  /health p99 meanwhile (ms)`, kind: 'absolute' },
  ]),
  {
    scenario: 'spawn',
    metric: 'leftRunning',
    label: 'processes left by cancelled runs',
    kind: 'absolute',
    worst: true,
  },
  { scenario: 'daemon', metric: 'startDaemon', label: 'daemon start; direct: `node -e 0` (ms)', kind: 'timesBase' },
  { scenario: 'daemon', metric: 'listProcesses', label: 'ps -a, 1,000 processes; direct: the same', kind: 'timesBase' },
  {
    scenario: 'daemon',
    metric: 'eventCost',
    label: 'CPU of the events of a request, no watcher (µs)',
    kind: 'absolute',
  },
  { scenario: 'route', metric: 'route.requestCpu', label: 'route: CPU per request (µs)', kind: 'timesProvider' },
  { scenario: 'route', metric: 'route.latency', label: 'route: p50 past a dead target (ms)', kind: 'addedToBase' },
  {
    scenario: 'client',
    metric: 'client.requestCpu',
    label: 'client with limits: CPU per request (µs)',
    kind: 'timesOpen',
  },
  ...TOOL_METRICS.map((metric) => ({
    ...{ scenario: 'tools', metric, kind: 'addedToBase' },
    label: `${metric}, p50; direct: the SDK's client (ms)`,
  })),
  ...Object.keys(SDK_DRIVERS).flatMap((driver) => [
    { scenario: driver, metric: `${driver}.requestCpu`, label: `${driver}: CPU per request (µs)`, kind: 'timesFloor' },
    { scenario: driver, metric: `${driver}.chunkCpu`, label: `${driver}: CPU per chunk (µs)`, kind: 'timesFloor' },
  ]),
  ...OTHER_DOORS.flatMap((door) => [
    { scenario: door, metric: `${door}.requestCpu`, label: `${door}: CPU per request (µs)`, kind: 'timesChat' },
    { scenario: door, metric: `${door}.firstChunk`, label: `${door}: first chunk (ms)`, kind: 'addedToBase' },
    { scenario: door, metric: `${door}.chunkCpu`, label: `${door}: CPU per chunk (µs)`, kind: 'timesChat' },
    {
      scenario: `${door}-held`,
      metric: `${door}.streamMemory`,
      label: `${door}: memory per held stream (kB)`,
      kind: 'absolute',
    },
  ]),
  ...Object.keys(WARM_CLIS).flatMap((cli) => [
    { scenario: cli, metric: `${cli}.firstText`, label: `${cli}: first text; direct: cold (ms)`, kind: 'timesSooner' },
    { scenario: cli, metric: `${cli}.chatCpu`, label: `${cli}: own CPU per chat (ms)`, kind: 'absolute' },
    {
      scenario: cli,
      metric: `${cli}.idleCpu`,
      label: `${cli}: a kept program at rest (% of a core)`,
      kind: 'absolute',
    },
  ]),
  ...Object.keys(PEERS).flatMap((peer) => [
    { scenario: peer, metric: `${peer}.requestCpu`, label: `${peer}: CPU per request (µs)`, kind: 'timesFloor' },
    { scenario: peer, metric: `${peer}.requestP99`, label: `${peer}: p99 of a request (ms)`, kind: 'timesFloor' },
    { scenario: peer, metric: `${peer}.firstChunk`, label: `${peer}: first chunk (ms)`, kind: 'addedToBase' },
    { scenario: peer, metric: `${peer}.chunkCpu`, label: `${peer}: CPU per chunk (µs)`, kind: 'timesFloor' },
    { scenario: peer, metric: `${peer}.chunkP99`, label: `${peer}: p99 of a relayed chunk (ms)`, kind: 'timesFloor' },
  ]),
  { metric: 'failed', label: 'wrong, lost or cut answers', kind: 'absolute' },
];

/** An SDK builds and checks a lot per request; of a stream it sees the head only. */
const SDK_GOALS = { requestCpu: { must: 5.5, aim: 4 }, chunkCpu: { must: 3.5, aim: 2.5 } };

/** What the translation into another wire may cost. */
const DOOR_GOALS = {
  requestCpu: { must: 1.5, aim: 1.25 },
  firstChunk: { must: 0.8, aim: 0.5 },
  chunkCpu: { must: 1.5, aim: 1.25 },
  streamMemory: { must: 60, aim: 50 },
};

const goalsOf = (names, goals) =>
  names.flatMap((name) => Object.entries(goals).map(([metric, goal]) => [`${name}.${metric}`, goal]));

const GOALS = {
  requestCpu: { must: 2, aim: 1.6 },
  requestP99: { must: 3, aim: 2 },
  overhead: { must: 1, aim: 0.5 },
  overheadP99: { must: 5, aim: 2 },
  firstChunk: { must: 0.45, aim: 0.3 },
  chunkCpu: { must: 1.5, aim: 1.3 },
  chunkP99: { must: 3, aim: 2 },
  streamMemory: { must: 62, aim: 50 },
  leftOpen: { must: 0, aim: 0 },
  start: { must: 6, aim: 4 },
  idleMemory: { must: 85, aim: 70 },
  startDaemon: { must: 6, aim: 4 },
  listProcesses: { must: 3, aim: 2.5 },
  eventCost: { must: 4, aim: 2 },
  failed: { must: 0, aim: 0 },
  runTime: { must: 5, aim: 2 },
  runCpu: { must: 2, aim: 1 },
  lineTime: { must: 2, aim: 1 },
  ...Object.fromEntries(Object.keys(FAKE_CLIS).map((cli) => [`${cli}.crowdHealth`, { must: 100, aim: 40 }])),
  // A run of sh is over before the answer has left; only Node's start takes longer than the rest.
  'node.crowdTime': { must: 1.3, aim: 1.1 },
  leftRunning: { must: 0, aim: 0 },
  'route.requestCpu': { must: 1.03, aim: 1.03 },
  'route.latency': { must: 2, aim: 1 },
  ...Object.fromEntries(
    Object.entries(WARM_CLIS).flatMap(([cli, { goal }]) => [
      [`${cli}.firstText`, { must: goal.speedUp, aim: goal.speedUp, orMs: goal.firstTextMs }],
      [`${cli}.chatCpu`, { must: 1, aim: 0.5 }],
      [`${cli}.idleCpu`, { must: 0.5, aim: 0.2 }],
    ]),
  ),
  'client.requestCpu': { must: 1.05, aim: 1.05 },
  ...Object.fromEntries(TOOL_METRICS.map((metric) => [metric, { must: 1, aim: 0.3 }])),
  ...Object.fromEntries([...goalsOf(Object.keys(SDK_DRIVERS), SDK_GOALS), ...goalsOf(OTHER_DOORS, DOOR_GOALS)]),
};

const FROM_PROC = new Set([
  ...['requestCpu', 'coldCpu', 'chunkCpu', 'streamMemory', 'idleMemory', 'runCpu', 'leftRunning'],
  ...['chatCpu', 'idleCpu'],
]);
const isFromProc = (metric) => FROM_PROC.has(metric.split('.').at(-1));

export const SCENARIOS = [...new Set(ROWS.flatMap(({ scenario }) => scenario ?? []))];

function judge(value, goal, gateway) {
  if (!goal) return '';
  if (goal.orMs !== undefined) return value >= goal.must || gateway <= goal.orMs ? 'aim' : 'MISSED';
  if (value <= goal.aim) return 'aim';
  return value <= goal.must ? 'must' : 'MISSED';
}

function judgeRow(row, results) {
  const { metric, label, kind, worst } = row;
  const goal = GOALS[metric];
  const known = { label, metric, unit: KINDS[kind].unit, must: goal?.must, aim: goal?.aim };
  if (isFromProc(metric) && !hasProc) return { ...known, verdict: 'needs Linux' };
  const samples = results.samples[metric];
  // Answers are only known to be right when all scenarios ran to their end.
  const gaveUp = row.scenario ? results.notMeasured[row.scenario] : Object.keys(results.notMeasured).length > 0;
  if (!samples || gaveUp) return { ...known, verdict: 'NOT MEASURED' };
  const middle = (pick) => median(samples.map(pick));
  const values = samples.map(KINDS[kind].of);
  const value = worst ? Math.max(...values) : median(values);
  const gateway = worst ? value : middle((sample) => sample.gateway);
  return {
    ...known,
    direct: samples[0].base === undefined ? undefined : middle((sample) => sample.base),
    floor: samples[0].floor === undefined ? undefined : middle((sample) => sample.floor),
    gateway,
    value,
    lowest: Math.min(...values),
    highest: Math.max(...values),
    verdict: judge(value, goal, gateway),
  };
}

/** One judged row for each number of the scenarios that were asked for. */
export function judgeAll(results, scenarios) {
  const asked = ROWS.filter(({ scenario }) => !scenario || scenarios.includes(scenario));
  return asked.map((row) => judgeRow(row, results));
}
