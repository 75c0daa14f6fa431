import { connect } from 'node:net';
import { DOORS } from './doors.mjs';
import { HttpReader } from './http-reader.mjs';

/** Header lines that a target asks for, by its port. */
export const extraHeaders = new Map();

/** The bytes of one chat request, for a door of the gateway. The upstream is steered by the model name, which every target passes on. */
export function chatRequest(port, { model = 'bench', stream = false, door = 'chat' } = {}) {
  const { path, headers = '', body: bodyOf } = DOORS[door];
  const body = JSON.stringify({ model, ...bodyOf(), ...(stream && { stream }) });
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
    `${headers}${extraHeaders.get(port) ?? ''}Content-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** One keep-alive connection with at most one request under way. */
export class ChatConnection {
  #socket;
  #pending;
  #status = 0;
  #head = '';
  #body = '';

  /** Resolves once the connection is there. */
  static open(port) {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new ChatConnection(socket));
      });
    });
  }

  constructor(socket) {
    this.#socket = socket;
    const reader = new HttpReader({
      head: (head) => {
        this.#head = head;
        this.#status = Number(head.slice(9, 12));
        this.#body = '';
      },
      body: (text) => {
        if (this.#pending?.onBody && this.#status === 200) this.#pending.onBody(text);
        else this.#body += text;
      },
      end: () => {
        const pending = this.#pending;
        this.#pending = undefined;
        pending?.resolve({ status: this.#status, head: this.#head, body: this.#body });
      },
    });
    socket.setEncoding('latin1');
    socket.on('data', (text) => reader.push(text));
    // A broken connection always closes too, and there it is reported.
    socket.on('error', () => {});
    socket.on('close', () =>
      this.#pending?.reject(new Error('the connection was closed before the answer was complete')),
    );
  }

  /** Sends a whole request; `onBody` gets the pieces of a streamed body, which is then not collected. */
  send(message, onBody) {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject, onBody };
      if (this.#socket.destroyed) reject(new Error('the connection was closed before the request'));
      else this.#socket.write(message, 'latin1');
    });
  }

  close() {
    this.#pending = undefined;
    this.#socket.destroy();
  }
}

export async function get(port, path) {
  const connection = await ChatConnection.open(port);
  try {
    return await connection.send(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  } finally {
    connection.close();
  }
}
