import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../bench/processes.mjs';
import { nameIn, PIECES, pieceOf } from './marks.mjs';
import { wireOf } from './wires.mjs';

const PAUSE_MS = 5;
/** A model that takes its time: for clients that leave. */
const SLOW = 'slow';
const SLOW_PIECES = 500;

let last = 0;

/** The server of a vendor. Each of its answers has a number that no other answer of any backend has: its input tokens. */
export class Backend {
  /** By number: for which question it is, and whether all of it was sent. */
  answers = new Map();
  faults = [];
  /** For a soak that has to fail. */
  isWrong = false;
  #server = createServer((request, response) => void this.#handle(request, response));
  port;

  async start() {
    this.port ??= await findFreePort();
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** As a server that crashes: answers break off, and nothing takes connections any more. */
  async die() {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  closeIdle() {
    this.#server.closeIdleConnections();
  }

  async #handle(request, response) {
    let text = '';
    // A client that leaves is no fault.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    for await (const piece of request.setEncoding('utf8')) text += piece;
    const wire = wireOf(request.url);
    if (!wire)
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"object":"list","data":[{"id":"m","object":"model"}]}');
    const body = JSON.parse(text);
    const name = nameIn(JSON.stringify(body.input ?? body.messages.findLast(({ role }) => role === 'user')));
    if (name === undefined) this.faults.push(`a backend was asked without a mark: ${text.slice(0, 200)}`);
    const answer = { number: (last += 1), name, backend: this.port, state: 'begun' };
    this.answers.set(answer.number, answer);
    response.once('close', () => (answer.state = response.writableFinished ? 'whole' : 'cut'));
    await this.#answer(wire, body, answer, response).catch(() => response.destroy());
  }

  async #answer(wire, body, answer, response) {
    const { number } = answer;
    const name = this.isWrong && number % 100 === 0 ? 'q0' : answer.name;
    const isSlow = body.model === SLOW;
    if (!body.stream) {
      await pause(isSlow ? 5_000 : PAUSE_MS, undefined, { signal: leaving(response) });
      const text = Array.from({ length: PIECES }, (_, index) => pieceOf(name, number, index)).join('');
      const whole = wire.call?.(body, name, number) ?? wire.whole(text, number);
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
    }
    const signal = leaving(response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const called = wire.streamedCall?.(body, name, number);
    if (called) return void response.end(called);
    response.write(wire.first(number));
    for (let index = 0; index < (isSlow ? SLOW_PIECES : PIECES); index += 1) {
      await pause(isSlow ? 20 : PAUSE_MS, undefined, { signal });
      response.write(wire.piece(pieceOf(name, number, index)));
    }
    response.end(wire.last(number));
  }
}

function leaving(response) {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}
