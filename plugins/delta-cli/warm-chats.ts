import type { Call, DriverContext, Warmth } from 'drivebay/plugin';
import type { ClientTools } from '../_shared/cli/client-tools/client-tools';
import { findRule } from '../_shared/cli/explain-by-rules';
import { beginTurn, type TakenChat, type TurnStart } from '../_shared/cli/warm/begin-turn';
import { marksOf, type Marks } from '../_shared/cli/warm/fingerprint';
import { type ChatEnd, NextTurns } from '../_shared/cli/warm/next-turns';
import { Servers } from '../_shared/cli/warm/servers';
import type { SpareKind } from '../_shared/cli/warm/spare';
import type { Fields } from '../_shared/fields';
import { type AppServer, Refusal } from './app-server';
import { fitsThread, toolSettings } from './client-tools';
import { failureRules, unwrapReport } from './failure-rules';
import { toHistory, toTurns, type Turns } from './history';
import { type Options, sandboxMode } from './options';
import { Thread } from './thread';
import { ThreadReader } from './thread-reader';
import { ToolReader } from './tool-reader';

/** A thread takes little: the program is there anyway. */
const CONVERSATIONS = 64;
const CONVERSATION_MS = 600_000;
/** Failures after which the program is asked no more: it keeps the login that it started with. */
const LOGIN_FAILURES = ['login_required', 'auth', 'missing_key'];

/** A chat that a thread may serve. */
interface WarmChat {
  call: Call;
  kind: SpareKind<AppServer>;
  client: ClientTools;
  /** What the answer must keep to. */
  schema: Fields | undefined;
  usesProxy: boolean;
  /** The messages by the names that the client has for its tools. */
  messages: Parameters<typeof marksOf>[0];
  /** Lays the whole conversation out as one text. */
  layout: () => string;
}

type Ask = TurnStart<Thread>['ask'];
type Begin = (warm: Warmth, open: () => Promise<Thread>, ask: Ask) => Promise<TakenChat | undefined>;

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
    const waiting = this.next.takeWaiting(marks, call.scope, fitsThread);
    if (waiting?.holder.keepsTo(chat.schema) === false) void waiting.holder.stop();
    else if (waiting) {
      const answer: Ask = (thread, turn) => Promise.resolve(thread.answer(turn, waiting));
      const taken = await begin('resumed', () => Promise.resolve(waiting.holder), answer);
      if (taken) return taken;
    }
    const { messages } = client.request;
    const untold = messages.slice(messages.length - marks.tail.length);
    const thread = call.scope === undefined ? undefined : this.next.conversations.take(marks.before);
    const turns = thread && toTurns(untold);
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
  refill(kind: SpareKind<AppServer>): void {
    this.servers.refill(kind);
  }

  close(): void {
    this.servers.close();
  }

  private marksOf({ messages, call, kind, client: { request, tools } }: WarmChat): Marks {
    return marksOf(messages, [call.scope, kind.key, request.model, request.reasoningEffort, tools]);
  }

  private beginner(chat: WarmChat, marks: Marks, hear: (error: Error) => void = () => undefined): Begin {
    const { call, kind, client, usesProxy } = chat;
    const { request, tools, names } = client;
    return async (warm, open, ask) => {
      const made: { thread?: Thread; reader?: ThreadReader } = {};
      const start: TurnStart<Thread> = {
        ...{ warm, ask, end: (thread) => thread.end },
        open: async () => (made.thread = await open()),
        read(thread, turn) {
          const reader = new ThreadReader({ usesProxy, isStreamed: request.stream, before: thread.total });
          made.reader = reader;
          return tools.length > 0 ? new ToolReader(reader, names, (line) => turn.push(line)) : reader;
        },
        settle: (end) => this.settle(end, made.reader!, chat, marks),
      };
      try {
        const taken = await beginTurn(this.context, { call, name: kind.name }, start);
        this.servers.worked(kind);
        return taken;
      } catch (error) {
        if (call.signal.aborted) throw error;
        hear(error as Error);
        call.log.info(`a program that was kept did not take the chat (${(error as Error).message})`);
        const { thread } = made;
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
        if (tools.length > 0 && !server.hasCatalog) throw new Refusal('it does not tell its models');
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

  private settle(
    end: ChatEnd<Thread>,
    { total, hasRetried }: ThreadReader,
    { call, kind }: WarmChat,
    marks: Marks,
  ): void {
    const { holder: thread, said } = end;
    const { outcome } = said;
    thread.total = total;
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

/** Tells a thread what is new. */
function asking({ client: { request }, schema }: WarmChat, turns: Turns): Ask {
  return (thread, turn) => thread.ask(turn, turns, { effort: request.reasoningEffort, outputSchema: schema });
}
