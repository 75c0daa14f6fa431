import type { JsonLine, Subprocess } from 'drivebay/plugin';
import { LiveProgram } from '../../_shared/cli/warm/live-program';
import type { Spare } from '../../_shared/cli/warm/spare';
import { within } from '../../_shared/cli/warm/within';
import { fieldsOf, isFields, listOf, spelled, textOf, type Fields } from '../../_shared/fields';
import type { Cli } from '../cli';
import { AcpError } from './acp-error';
import type { SessionFiles } from './session-files';

/** How long the program may take to say that it listens. A busy machine starts it slowly. */
const READY_WITHIN_MS = 30_000;
const MOST_SESSIONS = 300;
const METHOD_NOT_FOUND = -32601;
const CAN_NOTHING = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };

/** A message about one session: an update, as a line of its own. */
type Listener = (line: JsonLine) => void;

/** A process of the program that speaks the Agent Client Protocol (`--acp`): it holds many sessions, side by side. */
export class AcpProgram extends LiveProgram implements Spare {
  readonly ready: Promise<void>;
  /** The sessions that it was asked for, as far as they have names. */
  readonly sessionIds: string[] = [];
  /** How many sessions it was asked for. It keeps a little of each. */
  sessions = 0;
  /** How many of them are being answered. */
  asking = 0;
  private lastId = 0;
  private readonly listeners = new Map<string, Listener>();
  private turn: Promise<unknown> = Promise.resolve();

  readonly dialect: Cli['dialect'];
  /** Where its sessions work, and where it leaves their files. */
  readonly cwd: string;
  readonly files: SessionFiles;
  /** The system prompt, which a session reads when it is made. The file is empty at first. */
  readonly systemFile: string;
  /** What is in the file. Undefined while it is not known. */
  system: string | undefined = '';

  constructor(program: Subprocess, places: Pick<AcpProgram, 'dialect' | 'cwd' | 'files' | 'systemFile'>) {
    super(program);
    this.dialect = places.dialect;
    this.cwd = places.cwd;
    this.files = places.files;
    this.systemFile = places.systemFile;
    const greeting = this.request('initialize', { protocolVersion: 1, clientCapabilities: CAN_NOTHING });
    this.ready = within(greeting, READY_WITHIN_MS, 'it is not ready').then(() => undefined);
    this.ready.catch(() => undefined);
  }

  get isWorn(): boolean {
    return this.sessions >= MOST_SESSIONS;
  }

  /** Rejects with `AcpError` when the program refuses, and with another one when it ends. */
  request(method: string, params: Fields): Promise<Fields> {
    const id = ++this.lastId;
    return this.ask(String(id), { jsonrpc: '2.0', id, method, params });
  }

  notify(method: string, params: Fields): void {
    this.send({ jsonrpc: '2.0', method, params });
  }

  /** One piece of work after the other: sessions that are made at once would wait for each other's locks, for seconds. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.turn.then(work, work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  listen(sessionId: string, listener: Listener | undefined): void {
    if (listener) this.listeners.set(sessionId, listener);
    else this.listeners.delete(sessionId);
  }

  protected take(line: JsonLine): void {
    const { json } = line;
    if (!isFields(json)) return;
    const { id, method, params } = json;
    if (method === undefined) return this.takeAnswer(json);
    if (id !== undefined) return this.takeQuestion(json);
    if (method === 'session/update') this.listeners.get(spelled(fieldsOf(params).sessionId))?.(line);
  }

  private takeAnswer({ id, result, error }: Fields): void {
    this.settle(spelled(id), error == null ? undefined : new AcpError(fieldsOf(error)), fieldsOf(result));
  }

  /** The only tools that it has are those of a client, who decides about them itself. */
  private takeQuestion({ id, method, params }: Fields): void {
    const allowing = listOf(fieldsOf(params).options)
      .map(fieldsOf)
      .find(({ kind }) => textOf(kind)?.startsWith('allow'));
    const answer =
      method === 'session/request_permission'
        ? {
            result: {
              outcome: allowing ? { outcome: 'selected', optionId: allowing.optionId } : { outcome: 'cancelled' },
            },
          }
        : { error: { code: METHOD_NOT_FOUND, message: 'not supported' } };
    this.send({ jsonrpc: '2.0', id, ...answer });
  }
}
