import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { codeOf, ConfigError, messageOf, UsageError } from '../../errors';
import { isFields } from '../../fields';
import { DEPTH_HEADER, DEPTH_VARIABLE, parseDepth } from '../../subprocess/depth';
import { type DaemonInfo, isDaemonInfo } from '../control/daemon-info';
import type { ErrorAnswer } from '../control/protocol';

export class ControlError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'ControlError';
  }
}

/** No daemon listens at the socket, or the daemon ended during the call. */
export class DaemonGoneError extends ControlError {
  constructor(message: string, hint?: string) {
    super('daemon_gone', message, hint);
  }
}

interface CallOptions {
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  signal?: AbortSignal;
  /** How long the head of the answer may take, in ms; absent: no limit. */
  timeoutMs?: number;
}

/** A daemon that is alive answers within this time, also on a machine that has much else to do: the advice ends its agents. */
const ANSWER_LIMIT_MS = 10_000;

/** Speaks the control API (docs/control-api.md) over a socket. Throws errors as they were in the daemon. */
export class ControlClient {
  /** `depth`: how many agents are between a user and this program. */
  constructor(
    readonly socket: string,
    private readonly depth = parseDepth(process.env[DEPTH_VARIABLE]),
  ) {}

  /** What the daemon says of itself; undefined where none listens. Works without zod. */
  async describe(): Promise<DaemonInfo | undefined> {
    try {
      const response = await this.send('GET', '/v1/daemon', { timeoutMs: ANSWER_LIMIT_MS });
      const info: unknown = JSON.parse(await readText(response));
      if (isDaemonInfo(info)) return info;
    } catch (error) {
      if (error instanceof DaemonGoneError) return undefined;
      throw error;
    }
    throw new ControlError('protocol', `the program that listens at ${this.socket} is not a daemon`);
  }

  /** A GET that the daemon answers at once. */
  get<Answer>(path: string, query?: CallOptions['query']): Promise<Answer> {
    return this.call('GET', path, { timeoutMs: ANSWER_LIMIT_MS, query });
  }

  /** Both ends have the same version of the API, so an answer is taken as it is. */
  async call<Answer>(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const response = await this.send(method, path, options);
    return JSON.parse(await readText(response)) as Answer;
  }

  /** The values of a stream, one per line. Leaving the loop, or the signal, ends the call, and the daemon sees it. */
  async *stream<Line>(method: string, path: string, options: CallOptions = {}): AsyncGenerator<Line, void> {
    const response = await this.send(method, path, options);
    try {
      let rest = '';
      for await (const piece of response.setEncoding('utf8') as AsyncIterable<string>) {
        const lines = (rest + piece).split('\n');
        rest = lines.pop()!;
        for (const line of lines) yield JSON.parse(line) as Line;
      }
    } catch (error) {
      if (options.signal?.aborted) return;
      throw codeOf(error) === 'ECONNRESET' ? endedError() : error;
    } finally {
      response.destroy();
    }
  }

  private async send(method: string, path: string, options: CallOptions): Promise<IncomingMessage> {
    const { query = {}, body, signal, timeoutMs } = options;
    const fields = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) fields.set(name, String(value));
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = httpRequest({
        socketPath: this.socket,
        method,
        path: fields.size > 0 ? `${path}?${fields.toString()}` : path,
        // One connection per call: the daemon takes its end for the end of the client.
        agent: false,
        headers: {
          host: 'drivebay',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(this.depth > 0 && { [DEPTH_HEADER]: this.depth }),
        },
        signal,
      });
      request.once('response', resolve);
      request.once('error', (error) => reject(explain(error)));
      if (timeoutMs !== undefined) {
        const silent = () => request.destroy(new ControlError('no_answer', 'the daemon does not answer', RESTART));
        const timer = setTimeout(silent, timeoutMs);
        for (const event of ['response', 'close']) request.once(event, () => clearTimeout(timer));
      }
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
    if ((response.statusCode ?? 500) < 400) return response;
    if (response.statusCode === HEAD_TOO_LARGE) {
      response.resume();
      throw new UsageError(
        'a word of this command, its folder or DRIVEBAY_PLUGIN_PATH is too long for the daemon',
        'a daemon takes 16 kB of them; shorten it',
      );
    }
    throw toError(await readText(response));
  }
}

/** What `node:http` answers without a body, before any code of the daemon sees the request. */
const HEAD_TOO_LARGE = 431;

function explain(error: Error): Error {
  const code = codeOf(error) ?? '';
  if (['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(code)) {
    return new DaemonGoneError('no daemon is running', 'run: drivebay daemon start');
  }
  return ['ECONNRESET', 'EPIPE'].includes(code) ? endedError() : error;
}

const RESTART = 'run: drivebay daemon restart';

function endedError(): DaemonGoneError {
  return new DaemonGoneError('the daemon has ended', 'see its log: drivebay daemon logs');
}

function readText(response: IncomingMessage): Promise<string> {
  return text(response).catch((error: unknown) => {
    throw explain(error as Error);
  });
}

function toError(answer: string): Error {
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer);
  } catch (error) {
    return new ControlError('unreadable', `the daemon's answer cannot be read: ${messageOf(error)}`, RESTART);
  }
  const error = isFields(parsed) ? (parsed as Partial<ErrorAnswer>).error : undefined;
  if (!error) return new ControlError('protocol', 'the daemon answered an error of an unknown form');
  const { code, message, hint, problems } = error;
  if (problems) return new ConfigError([...problems]);
  return code === 'usage' ? new UsageError(message, hint) : new ControlError(code, message, hint);
}
