import { connect, type Socket } from 'node:net';

/** What differs from run to run, replaced. */
export function masked(transcript: string): string {
  return transcript
    .replace(/"id":"chatcmpl-\d+"/g, '"id":"chatcmpl-0"')
    .replace(/"created":\d{10}\b/g, '"created":0')
    .replace(/"id":"call_\d+_(\d+)"/g, '"id":"call_0_$1"');
}

/** A JSON object of a shape that the test knows. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into bodies of many shapes
export type Json = Record<string, any>;

/** The JSON events of a stream, without the terminator. */
export function events(transcript: string): Json[] {
  return transcript
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: ') && frame !== 'data: [DONE]')
    .map((frame) => JSON.parse(frame.slice(6)) as Json);
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The whole answer as it came. */
  raw: string;
}

/** A connection below HTTP, to send what no HTTP client would. */
export class RawConnection {
  received = '';
  readonly closed: Promise<void>;

  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1').on('data', (part: string) => (this.received += part));
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.on('close', () => resolve()));
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new RawConnection(socket);
  }

  write(data: string | Buffer): this {
    this.socket.write(data);
    return this;
  }

  /** Waits until the answer so far matches. */
  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.received)) {
      if (this.socket.destroyed) throw new Error(`closed after: ${this.received.slice(0, 500)}`);
      await new Promise<void>((resolve) => {
        const go = () => {
          this.socket.off('data', go).off('close', go);
          resolve();
        };
        this.socket.on('data', go).on('close', go);
      });
    }
  }

  /** The answer, once the server has closed the connection. */
  async answer(): Promise<RawAnswer> {
    await this.closed;
    return parseAnswer(this.received);
  }
}

/** Sends a head and a body as they are and reads the answer; the head should say `Connection: close`. */
export async function sendRaw(port: number, head: string[], body = ''): Promise<RawAnswer> {
  const connection = await RawConnection.open(port);
  connection.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return connection.answer();
}

function parseAnswer(raw: string): RawAnswer {
  const end = raw.indexOf('\r\n\r\n');
  const [first = '', ...lines] = raw.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(first.split(' ')[1]), headers, text: raw.slice(end + 4), raw };
}

/** Posts a body as it is to the path of chats. */
export function post(
  { url }: { url: string },
  body: string,
  headers = JSON_TYPE as Record<string, string>,
): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, { method: 'POST', body: Buffer.from(body), headers });
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** The error object of an answer, after checking that the body is the complete shape. */
export function errorOf(body: string): { message: string; type: string; code: string; param: string | null } & {
  details?: Record<string, unknown>;
} {
  const parsed = JSON.parse(body) as { error: ReturnType<typeof errorOf> };
  expect(Object.keys(parsed)).toEqual(['error']);
  expect(parsed.error).toMatchObject({
    message: expect.any(String),
    type: expect.any(String),
    code: expect.any(String),
  });
  expect(parsed.error.param === null || typeof parsed.error.param === 'string').toBe(true);
  return parsed.error;
}
