import type { DriverContext, Warmth } from 'drivebay/plugin';
import type { Answered } from '../_shared/cli/client-tools/waiting-programs';
import { findRule } from '../_shared/cli/explain-by-rules';
import type { TakenChat } from '../_shared/cli/warm/begin-turn';
import { marksOf, type Marks } from '../_shared/cli/warm/fingerprint';
import { NextTurns } from '../_shared/cli/warm/next-turns';
import { Servers } from '../_shared/cli/warm/servers';
import type { TurnLines } from '../_shared/cli/warm/turn-lines';
import { type AppServer, Inability, Refusal } from './app-server';
import { fitsThread, toolSettings } from './client-tools';
import { failureRules, unwrapReport } from './failure-rules';
import { type History, resultItems, toHistory, toTurns } from './history';
import { type Options, sandboxMode } from './options';
import type { ServerKind } from './server-kind';
import { Thread } from './thread';
import { beginThreadTurn, type ThreadChat, type ThreadEnd } from './thread-turn';

/** A thread takes little: the program is there anyway. */
const CONVERSATIONS = 64;
const CONVERSATION_MS = 600_000;
/** Failures after which the program is asked no more: it keeps the login that it started with. */
const LOGIN_FAILURES = ['login_required', 'auth', 'missing_key'];

interface WarmChat extends ThreadChat {
  /** The messages by the names that the client has for its tools. */
  messages: Parameters<typeof marksOf>[0];
  /** Lays the whole conversation out as one text. */
  layout: () => string;
}

type Turns = Omit<History, 'instructions'>;
type Begin = (
  warm: Warmth,
  open: () => Promise<Thread>,
  ask: (thread: Thread, turn: TurnLines) => Promise<void>,
) => Promise<TakenChat | undefined>;

/** The program that is kept for chats, the conversations that it holds, and those that wait for a client. */
export class WarmChats {
  private readonly servers: Servers<AppServer>;
  private readonly next: NextTurns<Thread>;

  /** `keeps`: whether a program is kept that no client waits for. */
  constructor(
    private readonly context: DriverContext<Options>,
    private readonly keeps: boolean,
  ) {
    const { warm_idle_sec: idleSec, warm_max: most } = context.options;
    const idleMs = idleSec * 1000;
    this.servers = new Servers(context, { most: keeps ? most : 0, forMs: idleMs });
    this.next = new NextTurns(context, { most: CONVERSATIONS, forMs: Math.min(CONVERSATION_MS, idleMs) });
  }

  /** Undefined where no program is ready, or the one that is does not take the chat. */
  async take(chat: WarmChat): Promise<TakenChat | undefined> {
    const { call, kind, client } = chat;
    const marks = this.marksOf(chat);
    const begin = this.beginner(chat, marks);
    const server = this.servers.find(kind);
    const of = { scope: call.scope, mark: marks.before };
    const waiting = this.next.waiting.take(marks.tail, of, fitsThread);
    if (waiting) {
      const taken = await begin('resumed', () => Promise.resolve(waiting.holder), answering(waiting));
      if (taken) return taken;
    }
    const thread = call.scope === undefined ? undefined : this.next.conversations.take(marks.before);
    const turns = thread && toTurns(lastOf(client.request.messages, marks.tail.length));
    if (thread && turns) {
      thread.hold();
      const taken = await begin('resumed', () => Promise.resolve(thread), asking(chat, turns));
      if (taken) return taken;
    } else void thread?.stop();
    if (!server || server.isGone) return undefined;
    this.servers.hold(server);
    return this.open(chat, 'hit', () => Promise.resolve(server), begin);
  }

  /** The same with a program that is started where there is none. Rejects where that is in vain, too. */
  async start(chat: WarmChat): Promise<TakenChat> {
    let failure: Error | undefined;
    const begin = this.beginner(chat, this.marksOf(chat), (error) => (failure = error));
    const taken = await this.open(chat, 'cold', () => this.servers.obtain(chat.kind), begin);
    if (!taken) throw failure!;
    return taken;
  }

  /** Starts the program for the next chats, where there is none. */
  refill(kind: ServerKind): void {
    this.servers.refill(kind);
  }

  close(): void {
    this.servers.close();
  }

  private marksOf({ messages, call, kind, client: { request, tools } }: WarmChat): Marks {
    return marksOf(messages, [call.scope, kind.key, request.model, request.reasoningEffort, tools]);
  }

  private beginner(chat: WarmChat, marks: Marks, hear: (error: Error) => void = () => undefined): Begin {
    const { call, kind } = chat;
    const settle = (end: ThreadEnd): void => this.settle(end, chat, marks);
    return async (warm, open, ask) => {
      const opened: { thread?: Thread } = {};
      const opening = async (): Promise<Thread> => (opened.thread = await open());
      try {
        const taken = await beginThreadTurn(this.context, chat, { warm, open: opening, ask, settle });
        this.servers.worked(kind);
        return taken;
      } catch (error) {
        if (call.signal.aborted) throw error;
        hear(error as Error);
        call.log.info(`a program that was kept did not take the chat (${(error as Error).message})`);
        const { thread } = opened;
        if (thread && !(error instanceof Refusal)) this.servers.fail(thread.server, kind, error);
        return undefined;
      }
    };
  }

  /** Begins a thread. `obtain` gives a program that is held. */
  private open(chat: WarmChat, warm: 'hit' | 'cold', obtain: () => Promise<AppServer>, begin: Begin) {
    const { request, tools } = chat.client;
    const history = toHistory(request.messages) ?? {
      ...{ instructions: undefined, items: [], input: [{ type: 'text', text: chat.layout() }] },
    };
    const open = async (): Promise<Thread> => {
      const server = await obtain();
      try {
        if (tools.length > 0 && !server.hasCatalog) throw new Inability('it does not tell its models');
        const settings = await this.settings(request.model, history.instructions);
        const thread = await Thread.start(server, { ...settings, ...toolSettings(tools) }, this.servers);
        thread.hold();
        return thread;
      } catch (error) {
        // One that refuses a chat may take others: what it refuses may be the client's tools.
        const isOfChat = error instanceof Refusal && (server.hasBegun || tools.length > 0);
        if (!isOfChat) this.servers.fail(server, chat.kind, error);
        throw error;
      } finally {
        this.servers.release(server);
      }
    };
    return begin(warm, open, asking(chat, history));
  }

  private async settings(model: string | undefined, instructions: string | undefined) {
    const sandbox = sandboxMode(this.context.options);
    return {
      ...{ ephemeral: true, approvalPolicy: 'never', sandbox, environments: [], cwd: await this.context.scratch() },
      ...(model !== undefined && { model }),
      ...(instructions !== undefined && { baseInstructions: instructions }),
    };
  }

  private settle(end: ThreadEnd, { call, kind }: WarmChat, marks: Marks): void {
    const { holder: thread, recorded, hasRetried } = end;
    const { outcome } = recorded;
    if (outcome?.type === 'failure') {
      const { rule } = findRule(failureRules, unwrapReport(outcome.report)) ?? {};
      if (rule && LOGIN_FAILURES.includes(rule.kind)) this.servers.retire(thread.server);
    }
    thread.onEnd = () => {
      if (this.next.forget(thread)) void thread.server.warnOfEnd(this.context);
    };
    if (this.next.settle(end, call, marks, this.keeps && !hasRetried)) thread.rest();
    this.refill(kind);
  }
}

function lastOf<Of>(list: readonly Of[], count: number): readonly Of[] {
  return list.slice(list.length - count);
}

/** Tells a thread what is new. */
function asking({ client: { request } }: WarmChat, { items, input }: Turns) {
  return async (thread: Thread, turn: TurnLines): Promise<void> => {
    await thread.inject(items);
    await thread.begin(turn, input, request.reasoningEffort);
  };
}

/** Gives a thread that waits the results of its calls. */
function answering({ calls, results }: Answered<Thread>) {
  return (thread: Thread, turn: TurnLines): Promise<void> => {
    for (const result of results) thread.answer(calls.get(result.callId)!, resultItems(result));
    thread.attend(turn);
    return Promise.resolve();
  };
}
