import type { Call, ChatRequest, DriverContext } from 'drivebay/plugin';
import type { CliRun } from '../_shared/cli/cli-run';
import { findRule } from '../_shared/cli/explain-by-rules';
import { Conversations } from '../_shared/cli/warm/conversations';
import { marksOf, type Marks } from '../_shared/cli/warm/fingerprint';
import { RecordedReader } from '../_shared/cli/warm/recorded-reader';
import { Servers } from '../_shared/cli/warm/servers';
import { TurnLines } from '../_shared/cli/warm/turn-lines';
import { untilAborted } from '../_shared/until-aborted';
import { type AppServer, Refusal } from './app-server';
import { failureRules, unwrapReport } from './failure-rules';
import { type History, toHistory, toTurns } from './history';
import { type Options, sandboxMode } from './options';
import type { ServerKind } from './server-kind';
import { Thread } from './thread';
import { ThreadReader } from './thread-reader';

/** A thread takes little: the program is there anyway. */
const CONVERSATIONS = { state: 'conversation', most: 64 } as const;
const CONVERSATION_MS = 600_000;
/** Failures after which the program is asked no more: it keeps the login that it started with. */
const LOGIN_FAILURES = ['login_required', 'auth', 'missing_key'];

/** A chat that a program which is kept may serve. */
export interface WarmChat {
  request: ChatRequest;
  call: Call;
  kind: ServerKind;
  /** The whole conversation as one text. */
  prompt: string;
  usesProxy: boolean;
}

type Taken = Pick<CliRun, 'running' | 'warm' | 'reader' | 'release'>;

/** The program that is kept for chats, and the conversations that it holds. */
export class WarmChats {
  private readonly servers: Servers<AppServer>;
  private readonly conversations: Conversations<Thread>;
  private readonly idleMs: number;

  constructor(private readonly context: DriverContext<Options>) {
    const { warm_idle_sec: idleSec, warm_max: most } = context.options;
    this.idleMs = idleSec * 1000;
    this.servers = new Servers(context, { most, forMs: this.idleMs });
    this.conversations = new Conversations(context);
  }

  /** Undefined where no program is ready: then a run of its own answers. So does it after every surprise. */
  async take(chat: WarmChat): Promise<Taken | undefined> {
    const { request, call, kind } = chat;
    const { model, reasoningEffort } = request;
    const marks = marksOf(request.messages, [call.scope, kind.key, model, reasoningEffort]);
    const server = this.servers.find(kind);
    const thread = call.scope === undefined ? undefined : this.conversations.take(marks.before);
    const turns = thread && toTurns(marks.tail);
    if (thread && turns) {
      const taken = await this.begin(chat, marks, 'resumed', () => Promise.resolve(thread), turns);
      if (taken) return taken;
    } else void thread?.stop();
    if (!server || server.isGone) return undefined;
    const history = toHistory(request.messages) ?? {
      ...{ instructions: undefined, items: [], input: [{ type: 'text', text: chat.prompt }] },
    };
    const open = async (): Promise<Thread> => this.open(server, chat, history);
    return this.begin(chat, marks, 'hit', open, history);
  }

  /** Starts the program for the next chats, where there is none. */
  refill(kind: ServerKind): void {
    this.servers.refill(kind);
  }

  close(): void {
    this.servers.close();
  }

  private async open(server: AppServer, { request }: WarmChat, { instructions }: History): Promise<Thread> {
    const { model } = request;
    return Thread.start(
      server,
      {
        ...{ ephemeral: true, approvalPolicy: 'never', sandbox: sandboxMode(this.context.options), environments: [] },
        cwd: await this.context.scratch(),
        ...(model !== undefined && { model }),
        ...(instructions !== undefined && { baseInstructions: instructions }),
      },
      this.servers,
    );
  }

  private async begin(
    chat: WarmChat,
    marks: Marks,
    warm: 'hit' | 'resumed',
    open: () => Promise<Thread>,
    { items, input }: Omit<History, 'instructions'>,
  ): Promise<Taken | undefined> {
    const { request, call, kind } = chat;
    let thread: Thread | undefined;
    let turn: TurnLines | undefined;
    const canceled = () => this.context.error('canceled', `${kind.name} was stopped`, { cause: call.signal.reason });
    const begin = async (): Promise<Thread> => {
      thread = await open();
      if (call.signal.aborted) throw canceled();
      thread.hold();
      await thread.inject(items);
      turn = new TurnLines(thread.end, () => thread!.stop());
      await thread.begin(turn, input, request.reasoningEffort);
      return thread;
    };
    const beginning = begin();
    try {
      await untilAborted(beginning, call.signal);
    } catch (error) {
      // What has begun meanwhile is ended when it is there.
      void beginning.then(
        (begun) => begun.stop(),
        () => thread?.stop(),
      );
      if (call.signal.aborted) throw canceled();
      this.note(chat, thread, error as Error);
      return undefined;
    }
    this.servers.worked(kind);
    return this.taken(chat, marks, warm, thread!, turn!);
  }

  private taken(chat: WarmChat, marks: Marks, warm: 'hit' | 'resumed', thread: Thread, turn: TurnLines): Taken {
    const { request, call, kind, usesProxy } = chat;
    const cancel = (): void => {
      turn.cancel(this.context.error('canceled', `${kind.name} was stopped`, { cause: call.signal.reason }));
      void thread.stop();
    };
    const own = new ThreadReader({ usesProxy, isStreamed: request.stream, before: thread.total });
    const reader = new RecordedReader(own);
    if (call.signal.aborted) cancel();
    call.signal.addEventListener('abort', cancel);
    const release = (): void => {
      call.signal.removeEventListener('abort', cancel);
      thread.endTurn();
      thread.total = own.total;
      this.settle(chat, marks, thread, reader, own.hasRetried);
    };
    return { running: turn, warm, reader, release };
  }

  private settle(
    { call, kind }: WarmChat,
    marks: Marks,
    thread: Thread,
    { outcome, answered }: RecordedReader,
    hasRetried: boolean,
  ): void {
    const isWhole = outcome?.type === 'answer' && !hasRetried && !call.signal.aborted;
    if (outcome?.type === 'failure') {
      const { rule } = findRule(failureRules, unwrapReport(outcome.report)) ?? {};
      if (rule && LOGIN_FAILURES.includes(rule.kind)) this.servers.retire(thread.server);
    }
    if (isWhole && call.scope !== undefined && !thread.isGone) {
      const forMs = Math.min(CONVERSATION_MS, this.idleMs);
      thread.onEnd = () => this.conversations.forget(thread);
      this.conversations.keep(marks.after(answered), thread, { ...CONVERSATIONS, forMs });
      thread.rest();
    } else void thread.stop();
    this.refill(kind);
  }

  /** A program that refuses one chat may take others. One that takes none at all is not started again. */
  private note({ call, kind }: WarmChat, thread: Thread | undefined, error: Error): void {
    call.log.info(`a program that was kept did not take the chat (${error.message}): another one is started`);
    const server = this.servers.find(kind);
    if (server && (!thread || !(error instanceof Refusal))) this.servers.fail(server, kind, error);
  }
}
