import { ChatConnection } from './chat-connection.mjs';
import { readStream, readStreamsAtOnce } from './read-streams.mjs';
import { cpuDuring, inTurn } from './request-scenarios.mjs';
import { median, percentile } from './results.mjs';

const NAMES = ['direct', 'floor', 'gateway'];

/** Streams without pauses, ten at a time. */
async function warmUpStreams(targets, name, count, results) {
  const { port, door } = targets[name];
  let left = count;
  const send = async () => {
    const connection = await ChatConnection.open(port);
    try {
      while (left > 0) {
        left -= 1;
        const { whole } = await readStream(connection, port, { chunks: 3, pauseMs: 0, door });
        if (!whole) results.countFailed(name, 1);
      }
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: 10 }, send));
}

/** One stream at a time on a connection that stays, some dozens to each target in turn. */
export async function measureFirstChunk(targets, plan, results) {
  const connections = {};
  const run = async (name, count) => {
    const firstTimes = [];
    for (let stream = 0; stream < count; stream += 1) {
      const { port, door } = targets[name];
      const options = { chunks: 3, pauseMs: 2, door };
      const { firstMs, whole } = await readStream(connections[name], port, options);
      if (!whole) results.countFailed(name, 1);
      firstTimes.push(firstMs);
    }
    return firstTimes;
  };
  const measure = async (metric, streams) => {
    const times = { direct: [], floor: [], gateway: [] };
    for (const name of NAMES) connections[name] = await ChatConnection.open(targets[name].port);
    try {
      for (let block = 0; block < plan.blocks; block += 1) {
        for (const name of inTurn(NAMES, block)) times[name].push(...(await run(name, streams / plan.blocks)));
      }
    } finally {
      for (const connection of Object.values(connections)) connection.close();
    }
    const [base, floor, gateway] = NAMES.map((name) => median(times[name]));
    results.add(metric, { base, floor, gateway });
  };
  await measure('coldFirstChunk', plan.coldStreams);
  for (const name of ['floor', 'gateway'])
    await warmUpStreams(targets, name, plan.warmUpStreams - plan.coldStreams, results);
  await measure('firstChunk', plan.firstChunks);
}

/** Many streams at once, a chunk per 20 ms each: the cost is one read and one write per chunk, as with real models. */
export async function measurePaced(targets, plan, results) {
  const streams = plan.pacedStreams;
  const run = async (name, chunks) => {
    const { port, door } = targets[name];
    const work = () => readStreamsAtOnce(port, { streams, chunks, pauseMs: 20, door });
    const { result, cpu } = await cpuDuring(targets[name], work);
    results.countFailed(name, result.failed);
    return { cpu: cpu / (streams * chunks), p99: percentile(result.delays, 99) };
  };
  for (const name of ['floor', 'gateway']) await run(name, plan.pacedChunks / 2);
  for (let block = 0; block < plan.pacedBlocks; block += 1) {
    const cpu = {};
    const p99 = {};
    for (const name of inTurn(['floor', 'gateway'], block)) {
      ({ cpu: cpu[name], p99: p99[name] } = await run(name, plan.pacedChunks));
    }
    results.add('chunkCpu', cpu);
    results.add('chunkP99', p99);
  }
}
