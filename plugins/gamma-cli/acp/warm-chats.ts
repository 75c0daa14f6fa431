import type { DriverContext, Warmth } from 'drivebay/plugin';
import type { TakenChat } from '../../_shared/cli/warm/begin-turn';
import { marksOf, type Marks } from '../../_shared/cli/warm/fingerprint';
import { type ChatEnd, NextTurns } from '../../_shared/cli/warm/next-turns';
import { ProgramEnded } from '../../_shared/cli/warm/program-ended';
import { Servers } from '../../_shared/cli/warm/servers';
import { untilAborted } from '../../_shared/until-aborted';
import { TOOL_SERVER } from '../chat-folder';
import type { Options } from '../environment';
import { AcpError } from './acp-error';
import type { AcpProgram } from './acp-program';
import type { AcpSession } from './acp-session';
import { blocksFor } from './client-tools';
import { cutsResults } from './cut-results';
import { partsOf } from './request-parts';
import { SessionMaker } from './session-maker';
import { beginSessionTurn, refusedTurn, type SessionChat, type Start } from './session-turn';
import { ToolServer } from './tool-server';
import { isCommand, toTurns } from './turns';

/** A session takes little: the program is there anyway. */
const CONVERSATIONS = 32;
const CONVERSATION_MS = 600_000;
const FOR_TOOLS = { most: 1, forMs: 5_000 };
const NO_COMMAND = 'The user says:';

/** A chat that a program which is kept may serve. */
interface WarmChat extends SessionChat {
  /** Whether no other run can serve it. */
  isSessionOnly: boolean;
}

/** The programs that are kept for chats, the conversations that they hold, and those that wait for a client. */
export class WarmChats {
  private readonly servers: Servers<AcpProgram>;
  private readonly sessions: SessionMaker;
  private readonly tools = new ToolServer(TOOL_SERVER);
  private readonly next: NextTurns<AcpSession>;

  /** `keeps`: whether a program is kept that no client waits for. */
  constructor(
    private readonly context: DriverContext<Options>,
    private readonly keeps: boolean,
  ) {
    const idleMs = context.options.warm_idle_sec * 1000;
    this.next = new NextTurns(context, { most: CONVERSATIONS, forMs: Math.min(CONVERSATION_MS, idleMs) });
    // One for tools of a client is there no longer than they are needed.
    const limits = keeps ? { most: context.options.warm_max, forMs: idleMs } : FOR_TOOLS;
    this.servers = new Servers(context, limits);
    this.sessions = new SessionMaker(this.servers);
  }

  /** Undefined where no program is ready: then a run of its own answers. So does it after every surprise. */
  async take(chat: WarmChat): Promise<TakenChat | undefined> {
    const { request, call, kind, client, isSessionOnly } = chat;
    const tools = client.tools.length > 0 ? client.tools : undefined;
    const marks = marksOf(request.messages, [call.scope, kind.key, request.model, tools]);
    const taken = (await this.goOn(chat, marks)) ?? (await this.beginAnew(chat, marks, 'hit'));
    if (taken ?? !isSessionOnly) return taken;
    const obtaining = this.servers.obtain(kind);
    const obtained = untilAborted(obtaining, call.signal).catch((error: Error) => {
      // An error of core about a start is for the client, and so is an end. Other errors are in the log.
      if (call.signal.aborted || 'kind' in error || error instanceof ProgramEnded) throw error;
    });
    try {
      if (!(await obtained)) return undefined;
      return (await this.beginAnew(chat, marks, 'cold')) ?? (await this.beginAnew(chat, marks, 'cold', true));
    } finally {
      // A session holds its program by itself.
      obtaining.then(
        (program) => this.servers.release(program),
        () => undefined,
      );
    }
  }

  /** Starts the program for the next chats, where there is none. */
  refill({ kind, request }: WarmChat): void {
    if (!this.keeps) return;
    const program = this.servers.find(kind);
    if (program) this.sessions.prepare(program, this.settingsOf({ kind, request }));
    this.servers.refill(kind);
  }

  /** What the next chat has in common with this one. */
  private settingsOf({ kind: { dialect }, request }: Pick<WarmChat, 'kind' | 'request'>) {
    if (dialect === 'gemini') return { system: '', model: request.model };
    return { system: partsOf(this.context, request, dialect).system };
  }

  /** No program is kept from now on. */
  close(): void {
    this.servers.close();
  }

  /** Goes on in the session that holds the conversation. */
  private async goOn(chat: WarmChat, marks: Marks): Promise<TakenChat | undefined> {
    const { call, request } = chat;
    const { dialect } = chat.kind;
    const isCut = dialect === 'gemini' && cutsResults(request.messages);
    const waiting = this.next.takeWaiting(
      marks,
      call.scope,
      (results) => !isCut && results.every((result) => blocksFor(result, dialect)),
    );
    if (waiting) {
      const { holder, results } = waiting;
      const content = results.flatMap((result) => blocksFor(result, dialect)!);
      return this.begin(chat, marks, {
        ...{ program: holder.program, warm: 'resumed', open: () => Promise.resolve(holder) },
        ask: (session, turn) => session.goOn(turn, content),
      });
    }
    if (call.scope === undefined || isCut) return undefined;
    // A session has its instructions from its beginning.
    const isPlain = marks.tail.every(({ role }) => role === 'user');
    const told = isPlain ? toTurns(marks.tail) : undefined;
    if (!told || told.turns.length > 0 || isCommand(told.prompt)) return undefined;
    const session = this.next.conversations.take(marks.before);
    if (!session) return undefined;
    return this.begin(chat, marks, {
      ...{ program: session.program, warm: 'resumed', open: () => Promise.resolve(session) },
      ask: (own, turn) => own.begin(turn, told.prompt),
    });
  }

  private async beginAnew(
    chat: WarmChat,
    marks: Marks,
    warm: Warmth,
    isLaidOut = false,
  ): Promise<TakenChat | undefined> {
    const { request, kind, client } = chat;
    const program = this.servers.find(kind);
    if (!program) return undefined;
    const { system, turns, prompt } = partsOf(this.context, client.request, kind.dialect, isLaidOut);
    const isDisarmed = chat.isSessionOnly && isCommand(prompt);
    if (isCommand(prompt) && !isDisarmed) return undefined;
    const list = client.tools.map((tool) => ({ ...tool }));
    const tools = list.length > 0 ? { list, server: this.tools } : undefined;
    const model = kind.dialect === 'gemini' ? request.model : undefined;
    const open = () => this.sessions.make(program, { system, turns, tools, model });
    // A sentence in front of a command makes it a text; nothing but a session has the tools.
    const text = isDisarmed ? `${NO_COMMAND}\n\n${prompt}` : prompt;
    return this.begin(chat, marks, { program, warm, open, ask: (session, turn) => session.begin(turn, text) });
  }

  /** Undefined after a surprise. Throws when the client has left. */
  private async begin(chat: WarmChat, marks: Marks, start: Start): Promise<TakenChat | undefined> {
    const { kind } = chat;
    try {
      const settle = (end: ChatEnd<AcpSession>): void => this.settle(chat, marks, end);
      const taken = await beginSessionTurn(this.context, chat, start, settle);
      this.servers.worked(kind);
      return taken;
    } catch (error) {
      if (chat.call.signal.aborted) throw error;
      this.surprised(chat, error, start.program);
      if (start.warm !== 'cold') return undefined;
      // No run of its own says why, where only a session serves the chat.
      if (error instanceof ProgramEnded) throw error;
      return error instanceof AcpError && error.isOfTheLogin ? refusedTurn(chat, start, error) : undefined;
    }
  }

  private settle(chat: WarmChat, marks: Marks, end: ChatEnd<AcpSession>): void {
    const { holder } = end;
    holder.onEnd = () => {
      if (this.next.forget(holder)) void holder.program.warnOfEnd(this.context);
    };
    if (this.next.settle(end, chat.call, marks, this.keeps)) holder.rest();
    this.refill(chat);
  }

  /** Costs time, and no answer. A program that refuses one chat may take others. */
  private surprised({ call, kind }: WarmChat, error: unknown, program: AcpProgram): void {
    const { message } = error as Error;
    call.log.info(`a program that was kept did not take the chat (${message}): another one is started`);
    // A login that is missing is not the program's fault.
    const isRefusal = error instanceof AcpError;
    if (isRefusal && error.isOfTheTalk) this.servers.retire(program);
    else if (!isRefusal) this.servers.fail(program, kind, error);
  }
}
