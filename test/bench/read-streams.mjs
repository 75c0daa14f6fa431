import { ChatConnection, chatRequest } from './chat-connection.mjs';

/** Follows the events of one stream: how many chunks came, whether none was lost or moved, when the first one came. */
export class ChunkCounter {
  chunks = 0;
  inOrder = true;
  done = false;
  firstAt;
  lastAt;
  #rest = '';

  push(text) {
    const now = performance.now();
    const events = (this.#rest + text).split('\n\n');
    this.#rest = events.pop();
    for (const event of events) {
      if (event === 'data: [DONE]') this.done = true;
      // A gateway may put the text of several chunks into one.
      for (let mark = event.indexOf('#'); mark >= 0; mark = event.indexOf('#', mark + 1)) {
        if (Number.parseInt(event.slice(mark + 1), 10) !== this.chunks) this.inOrder = false;
        this.chunks += 1;
        this.firstAt ??= now;
        this.lastAt = now;
      }
    }
  }

  isWhole(expected) {
    return this.done && this.inOrder && this.chunks === expected;
  }
}

function streamRequest(port, chunks, pauseMs) {
  return chatRequest(port, { model: `bench:stream-${chunks}-${pauseMs}`, stream: true });
}

/** Reads one stream to its end over an open connection; tells when the first chunk came and whether all is well. */
export async function readStream(connection, port, { chunks, pauseMs }) {
  const counter = new ChunkCounter();
  const sent = performance.now();
  await connection.send(streamRequest(port, chunks, pauseMs), (text) => counter.push(text));
  return { firstMs: (counter.firstAt ?? Number.NaN) - sent, whole: counter.isWhole(chunks) };
}

/** Reads streams that begin evenly spread over one pause, each on its own connection; returns how many failed. */
export async function readStreamsAtOnce(port, { streams, chunks, pauseMs }) {
  const one = async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index * pauseMs) / streams));
    const connection = await ChatConnection.open(port);
    try {
      return (await readStream(connection, port, { chunks, pauseMs })).whole;
    } catch {
      return false;
    } finally {
      connection.close();
    }
  };
  const whole = await Promise.all(Array.from({ length: streams }, one));
  return whole.filter((ok) => !ok).length;
}

/** Opens a stream of one chunk a second that nobody ends but us, and resolves once its first chunk is there. */
export async function holdStream(port) {
  const connection = await ChatConnection.open(port);
  const counter = new ChunkCounter();
  await new Promise((resolve, reject) => {
    const end = connection.send(streamRequest(port, 3600, 1000), (text) => {
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
