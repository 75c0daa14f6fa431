import { ChatConnection, chatRequest } from './chat-connection.mjs';
import { DOORS } from './doors.mjs';

/** Follows the events of one stream: how many chunks came and when, whether none was lost or moved, how long each took. */
export class ChunkCounter {
  chunks = 0;
  inOrder = true;
  done = false;
  firstAt;
  lastAt;
  /** From the upstream's write to this process, in milliseconds. */
  delays = [];
  #rest = '';
  #door;

  constructor(door = 'chat') {
    this.#door = DOORS[door];
  }

  push(text) {
    const now = performance.now();
    const clock = Number(process.hrtime.bigint());
    const events = (this.#rest + text).split('\n\n');
    this.#rest = events.pop();
    for (const event of events) {
      if (this.#door.isLast(event)) this.done = true;
      if (!this.#door.hasText(event)) continue;
      // A gateway may put the text of several chunks into one.
      for (let mark = event.indexOf('#'); mark >= 0; mark = event.indexOf('#', mark + 1)) {
        if (Number.parseInt(event.slice(mark + 1), 10) !== this.chunks) this.inOrder = false;
        this.chunks += 1;
        this.delays.push((clock - Number.parseInt(event.slice(event.indexOf('@', mark) + 1), 10)) / 1e6);
        this.firstAt ??= now;
        this.lastAt = now;
      }
    }
  }

  isWhole(expected) {
    return this.done && this.inOrder && this.chunks === expected;
  }
}

function streamRequest(port, { chunks, pauseMs, door }) {
  return chatRequest(port, { model: `bench:stream-${chunks}-${pauseMs}`, stream: true, door });
}

/** Reads one stream to its end over an open connection: when the first chunk came, the delay of each, and whether all is well. */
export async function readStream(connection, port, { chunks, pauseMs, door }) {
  const counter = new ChunkCounter(door);
  const sent = performance.now();
  await connection.send(streamRequest(port, { chunks, pauseMs, door }), (text) => counter.push(text));
  const { firstAt = Number.NaN, delays } = counter;
  return { firstMs: firstAt - sent, delays, whole: counter.isWhole(chunks) };
}

/** Reads streams that begin evenly spread over one pause, each on its own connection. */
export async function readStreamsAtOnce(port, { streams, chunks, pauseMs, door }) {
  const one = async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index * pauseMs) / streams));
    const connection = await ChatConnection.open(port);
    try {
      return await readStream(connection, port, { chunks, pauseMs, door });
    } catch {
      return { delays: [], whole: false };
    } finally {
      connection.close();
    }
  };
  const read = await Promise.all(Array.from({ length: streams }, one));
  return { failed: read.filter(({ whole }) => !whole).length, delays: read.flatMap(({ delays }) => delays) };
}

/** Opens a stream of one chunk a second that does not end by itself, and resolves once its first chunk is there. */
export async function holdStream(port, door) {
  const connection = await ChatConnection.open(port);
  const counter = new ChunkCounter(door);
  await new Promise((resolve, reject) => {
    const end = connection.send(streamRequest(port, { chunks: 3600, pauseMs: 1000, door }), (text) => {
      counter.push(text);
      if (counter.chunks > 0) resolve();
    });
    end.then(({ status }) => reject(new Error(`a held stream ended by itself, status ${status}`)), reject);
  });
  return {
    isAlive: () => counter.inOrder && performance.now() - counter.lastAt < 2500,
    leave: () => connection.close(),
  };
}
