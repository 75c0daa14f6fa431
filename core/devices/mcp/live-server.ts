import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CreateMessageRequestParams, CreateMessageResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '../../contract/api';
import { waitAtMost } from '../../contract/wait-at-most';
import { asking } from './asking';
import { explainFailure, shorten } from './explain-failure';
import { productName, productVersion } from '../../package';
import type { ServerTransport } from './open-transport';
import { ProgramTransport } from './program-transport';
import { readTools, type ToolList } from './read-tools';
import type * as Sdk from './sdk-parts';
import { UNCHECKED } from './unchecked';
import { pageParams } from './vendor-words';

/** The first start of a program may download it. */
const START_LIMIT_MS = 60_000;
const LIST_LIMIT_MS = 30_000;
/** A server that is gone does not answer. */
const LEAVE_LIMIT_MS = 2_000;
/** However much progress a call reports. */
const LONGEST_CALL_MS = 3_600_000;

/** Absent: the server may ask nothing. */
export type AnswerSampling = (params: CreateMessageRequestParams, signal: AbortSignal) => Promise<CreateMessageResult>;

interface CallOptions {
  signal: AbortSignal;
  timeoutMs: number;
  onProgress: (line: string) => void;
}

/** A server that is running or connected, from its handshake to its end. */
export class LiveServer {
  private list: Promise<ToolList> | undefined;
  /** Settles with the reason when either side has ended the connection. */
  readonly ended: Promise<string>;
  private noteEnd!: (reason: string) => void;
  hasEnded = false;
  /** Whether the server has ended the session, which is not a crash. */
  isForgotten = false;

  private constructor(
    private readonly sdk: typeof Sdk,
    private readonly client: Client,
    private readonly transport: ServerTransport,
    log: Logger,
  ) {
    this.ended = new Promise((resolve) => (this.noteEnd = resolve));
    client.onclose = () => {
      this.hasEnded = true;
      this.noteEnd(transport.reason ?? 'the connection was closed');
    };
    client.setNotificationHandler(sdk.ToolListChangedNotificationSchema, () => {
      this.list = undefined;
    });
    client.setNotificationHandler(sdk.LoggingMessageNotificationSchema, ({ params: { level, data, logger } }) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      log[levelOf(level)](shorten(logger === undefined ? text : `${logger}: ${text}`));
    });
  }

  /** Answers the questions of the server to a model. */
  private answer(ask: AnswerSampling): void {
    this.client.setRequestHandler(this.sdk.CreateMessageRequestSchema, ({ params }, { signal }) => ask(params, signal));
  }

  /** Tries the ways to the server in turn. Rejects with the failure of the first one. */
  static async open(
    sdk: typeof Sdk,
    ways: readonly (() => Promise<ServerTransport>)[],
    log: Logger,
    signal: AbortSignal,
    ask?: AnswerSampling,
  ): Promise<LiveServer> {
    let failure: Error | undefined;
    for (const [index, way] of ways.entries()) {
      const transport = await way();
      const options = { jsonSchemaValidator: UNCHECKED, capabilities: ask ? { sampling: {} } : {} };
      const client = new sdk.Client({ name: productName, version: productVersion }, options);
      const live = new LiveServer(sdk, client, transport, log);
      if (ask) live.answer(ask);
      try {
        await asking(signal, (own) => client.connect(transport, { signal: own, timeout: START_LIMIT_MS }));
        return live;
      } catch (error) {
        // Before it is ended: that would be the reason of everything.
        failure ??= live.explain(error);
        await live.close();
        signal.throwIfAborted();
        if (index < ways.length - 1 && !mayBeOlder(error)) break;
      }
    }
    throw failure!;
  }

  /** Whether the server keeps something between the calls of one user. For a program this cannot be known. */
  get isStateful(): boolean {
    return this.transport instanceof ProgramTransport || this.transport.sessionId !== undefined;
  }

  /** The tools; asked for again only after the server has said that they changed. */
  tools(): Promise<ToolList> {
    this.list ??= this.readList();
    return this.list;
  }

  private readList(): Promise<ToolList> {
    if (!this.client.getServerCapabilities()?.tools) return Promise.resolve({ tools: [], warnings: [] });
    const ask = (page: string | undefined, timeout: number) =>
      this.client.request({ method: 'tools/list', params: pageParams(page) }, this.sdk.ResultSchema, { timeout });
    const list = readTools(ask, LIST_LIMIT_MS).catch((error: unknown) => {
      throw this.explainAnswer(error);
    });
    // A failure is not kept: the next question asks again.
    list.catch(() => {
      if (this.list === list) this.list = undefined;
    });
    return list;
  }

  async call(
    tool: string,
    input: unknown,
    { signal, timeoutMs, onProgress }: CallOptions,
  ): Promise<Record<string, unknown>> {
    const params = { name: tool, arguments: input as Record<string, unknown> };
    const limits = {
      timeout: timeoutMs,
      resetTimeoutOnProgress: true,
      maxTotalTimeout: Math.max(timeoutMs, LONGEST_CALL_MS),
      onprogress: ({ progress, total, message }: Progress) =>
        onProgress(
          shorten([`${progress}${total === undefined ? '' : ` of ${total}`}`, message].filter(Boolean).join(' ')),
        ),
    };
    try {
      return await asking(signal, (own) =>
        this.client.request({ method: 'tools/call', params }, this.sdk.ResultSchema, { ...limits, signal: own }),
      );
    } catch (error) {
      throw this.explainAnswer(error);
    }
  }

  /** A server that does not know its session any more, as after a new start, needs another one. */
  private explainAnswer(error: unknown): Error {
    if ((error as { code?: unknown }).code === 404 && this.transport.sessionId !== undefined && !this.hasEnded) {
      this.isForgotten = true;
      this.transport.reason = 'it does not know the session any more';
      void this.close();
    }
    return this.explain(error);
  }

  private explain(error: unknown): Error {
    const { reason, said } = this.transport;
    const ended = this.hasEnded || this.isForgotten ? reason : undefined;
    return explainFailure(error, { ended, said, version: this.sdk.LATEST_PROTOCOL_VERSION });
  }

  async close(): Promise<void> {
    await this.leaveSession();
    await this.client.close().catch(() => undefined);
    await this.transport.close().catch(() => undefined);
  }

  /** An HTTP server may keep the data of a session for ever if it does not learn of the end. */
  private async leaveSession(): Promise<void> {
    const { transport } = this;
    if (this.hasEnded || this.isForgotten || transport.sessionId === undefined) return;
    const leaving = transport.terminateSession?.().catch(() => undefined);
    if (leaving) await waitAtMost(LEAVE_LIMIT_MS, leaving);
  }
}

/** Our level for one of the protocol. */
function levelOf(level: string): keyof Logger {
  if (level === 'debug' || level === 'info') return level;
  if (level === 'notice') return 'info';
  return level === 'warning' ? 'warn' : 'error';
}

/** Whether a server may know only the older form of HTTP: then it refuses to take a message. */
function mayBeOlder(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 400 || code === 404 || code === 405;
}
