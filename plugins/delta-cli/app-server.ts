import type { JsonLine, Subprocess } from 'drivebay/plugin';
import { LiveProgram } from '../_shared/cli/warm/live-program';
import { within } from '../_shared/cli/warm/within';
import { fieldsOf, isFields, spelled, textOf, type Fields } from '../_shared/fields';

/** How long the program may take to say that it listens. A busy machine starts it slowly. */
const READY_WITHIN_MS = 30_000;
/** How long it may take to answer a request. */
const ANSWERS_WITHIN_MS = 15_000;
/** It keeps a little of every thread that it had. */
const MOST_THREADS = 500;
/** What it would tell without being asked, and nothing here hears. Speed: most of it comes alone, and wakes this program. */
const UNWANTED = [
  ...['thread/started', 'thread/status/changed', 'thread/settings/updated', 'account/rateLimits/updated'],
  ...['turn/started', 'item/reasoning/summaryPartAdded'],
];
const CLIENT = { name: 'drivebay', title: 'Drivebay', version: '1' };
/** Of JSON-RPC. */
const METHOD_NOT_FOUND = -32601;

/** The part of a thread that the program talks to. */
export interface ThreadEars {
  take(line: JsonLine, message: Fields): void;
  /** A line of the standard error: it may be about any thread. */
  takeErrorLine(line: string): void;
  /** The program has ended. */
  leave(failure: Error | undefined): void;
}

/** The program refused a request. */
export class Refusal extends Error {}

/** One process of the program that serves many threads (`codex app-server`), in JSON-RPC. */
export class AppServer extends LiveProgram {
  readonly ready: Promise<void>;
  private readonly threads = new Map<string, ThreadEars>();
  private requests = 0;
  private begun = 0;

  /** `hasCatalog`: whether its models have none of their own tools. */
  constructor(
    program: Subprocess,
    readonly hasCatalog: boolean,
  ) {
    super(program);
    this.ready = this.greet();
    this.ready.catch(() => undefined);
  }

  /** Whether it has taken a chat at all. */
  get hasBegun(): boolean {
    return this.begun > 0;
  }

  get isWorn(): boolean {
    return this.begun >= MOST_THREADS;
  }

  /** Rejects when the program refuses, ends, or takes too long. */
  request(method: string, params: Fields, withinMs = ANSWERS_WITHIN_MS): Promise<Fields> {
    const id = (this.requests += 1);
    return within(this.ask(String(id), { id, method, params }), withinMs, `it did not answer ${method}`);
  }

  /** Answers a request of the program. */
  reply(id: unknown, result: Fields): void {
    this.send({ id, result });
  }

  listen(threadId: string, ears: ThreadEars): void {
    this.begun += 1;
    this.threads.set(threadId, ears);
  }

  unlisten(threadId: string): void {
    this.threads.delete(threadId);
  }

  override onErrorLine = (line: string): void => {
    for (const ears of this.threads.values()) ears.takeErrorLine(line);
  };

  protected take(line: JsonLine): void {
    const { json } = line;
    if (!isFields(json)) return;
    if (json.method === undefined) return this.takeAnswer(json);
    const ears = this.threads.get(spelled(fieldsOf(json.params).threadId));
    if (ears) ears.take(line, json);
    else if (json.id !== undefined) this.refuse(json.id);
  }

  /** For a request of the program that nothing here answers: without a word it would wait. */
  refuse(id: unknown): void {
    this.send({ id, error: { code: METHOD_NOT_FOUND, message: 'this client does not do that' } });
  }

  protected override leave(failure?: Error): void {
    for (const ears of [...this.threads.values()]) ears.leave(failure);
  }

  private async greet(): Promise<void> {
    const capabilities = { experimentalApi: true, optOutNotificationMethods: UNWANTED };
    await this.request('initialize', { clientInfo: CLIENT, capabilities }, READY_WITHIN_MS);
    this.send({ method: 'initialized' });
  }

  private takeAnswer({ id, result, error }: Fields): void {
    const message = textOf(fieldsOf(error).message) ?? 'it refused a request';
    this.settle(spelled(id), error == null ? undefined : new Refusal(message), fieldsOf(result));
  }
}
