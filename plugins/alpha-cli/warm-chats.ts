import type { DriverContext } from 'drivebay/plugin';
import { WaitingPrograms } from '../_shared/cli/client-tools/waiting-programs';
import { Conversations } from '../_shared/cli/warm/conversations';
import { marksOf, type Marks } from '../_shared/cli/warm/fingerprint';
import { Spares } from '../_shared/cli/warm/spares';
import type { TurnLines } from '../_shared/cli/warm/turn-lines';
import { fitsProgram } from './client-tools';
import { limitVariables } from './environment';
import { toTurns, userLine } from './history';
import { adjustSession, answerCalls, openSession } from './open-session';
import type { Options } from './options';
import type { Session } from './session';
import type { SessionKind } from './session-kind';
import { beginTurn, type SessionChat, type SessionEnd, type TakenChat } from './session-turn';

/** A program that holds a conversation takes 200 MB. */
const CONVERSATIONS = { state: 'conversation', most: 2 } as const;
const CONVERSATION_MS = 60_000;

interface WarmChat extends SessionChat {
  /** Whether no other run can serve it. */
  isSessionOnly: boolean;
}

type Begin = (
  session: Session,
  warm: 'hit' | 'resumed' | 'cold',
  take: (turn: TurnLines) => Promise<unknown>,
  goesOn?: boolean,
) => Promise<TakenChat | undefined>;

/** The programs that are kept for chats: ready ones, those that hold a conversation, and those that wait for a client. */
export class WarmChats {
  private readonly spares: Spares<Session>;
  private readonly conversations: Conversations<Session>;
  private readonly waiting: WaitingPrograms<Session>;
  private readonly idleMs: number;

  /** `keeps`: whether a program is kept that no client waits for. */
  constructor(
    private readonly context: DriverContext<Options>,
    private readonly keeps: boolean,
  ) {
    const { warm_idle_sec: idleSec, warm_max: most } = context.options;
    this.idleMs = idleSec * 1000;
    this.spares = new Spares(context, { most: keeps ? most : 0, forMs: this.idleMs });
    this.conversations = new Conversations(context);
    this.waiting = new WaitingPrograms(context);
  }

  /** Undefined where a run of its own answers: no program is ready, or the one that was does not do as expected. */
  async take(chat: WarmChat): Promise<TakenChat | undefined> {
    const { request, call, kind } = chat;
    const marks = marksOf(request.messages, [call.scope, kind.key, limitVariables(request), request.tools]);
    const begin: Begin = async (session, warm, take, goesOn = false) => {
      const settle = (end: SessionEnd): void => this.settle(end, chat, marks);
      const reading = { ...chat.reading, goesOn };
      try {
        return await beginTurn(this.context, { ...chat, reading }, { session, warm, take, settle });
      } catch (error) {
        this.refill(kind);
        throw error;
      }
    };
    const taken = (await this.goOn(chat, marks, begin)) ?? (await this.useSpare(chat, begin));
    return taken ?? (chat.isSessionOnly ? this.start(chat, begin) : undefined);
  }

  /** Starts the next spare. */
  refill(kind: SessionKind): void {
    this.spares.refill(kind);
  }

  close(): void {
    this.spares.close();
  }

  /** Goes on in the program that holds the conversation. */
  private async goOn(
    { call: { scope }, client }: WarmChat,
    { before: mark, tail }: Marks,
    begin: Begin,
  ): Promise<TakenChat | undefined> {
    const waiting = this.waiting.take(tail, { scope, mark }, fitsProgram);
    if (waiting) {
      const { holder } = waiting;
      return begin(holder, 'resumed', (turn) => answerCalls(holder, waiting, client, turn), true);
    }
    // A program takes its instructions when it starts, so a later one needs another program.
    const isInstructed = tail.some(({ role }) => role === 'system' || role === 'developer');
    const holder = scope === undefined || isInstructed ? undefined : this.conversations.take(mark);
    const turns = holder && toTurns(tail);
    if (!holder || turns?.length !== 1) return void holder?.stop();
    return begin(holder, 'resumed', async (turn) => {
      await adjustSession(holder, client);
      await holder.begin(turn, () => holder.write(userLine(turns[0]!, true)));
    });
  }

  private async useSpare(chat: WarmChat, begin: Begin): Promise<TakenChat | undefined> {
    const spare = this.spares.take(chat.kind.key);
    return spare && begin(spare, 'hit', (turn) => openSession(spare, chat, turn));
  }

  /** Starts a program for the chat. */
  private async start(chat: WarmChat, begin: Begin): Promise<TakenChat | undefined> {
    const session = await chat.kind.start();
    return begin(session, 'cold', async (turn) => {
      await session.ready;
      await openSession(session, chat, turn);
    });
  }

  private settle({ session, recorded, calls }: SessionEnd, { call, kind }: WarmChat, marks: Marks): void {
    const { outcome, answered } = recorded;
    const finish = outcome?.type === 'answer' && !call.signal.aborted ? outcome.finish : undefined;
    const { scope } = call;
    if (finish === 'tool_calls') this.waiting.keep({ holder: session, calls }, { scope, mark: marks.after(answered) });
    else if (finish === 'stop' && this.keeps && scope !== undefined && !session.isBent && !session.isGone) {
      const forMs = Math.min(CONVERSATION_MS, this.idleMs);
      this.conversations.keep(marks.after(answered), session, { ...CONVERSATIONS, forMs });
    } else void session.stop();
    void session.gone.then(() => {
      this.conversations.forget(session);
      this.waiting.forget(session);
    });
    this.refill(kind);
  }
}
