import type { Call, ChatRequest, DriverContext, Warmth } from 'drivebay/plugin';
import type { TakenChat, TurnStart } from '../_shared/cli/warm/begin-turn';
import { marksOf, type Marks } from '../_shared/cli/warm/fingerprint';
import { type ChatEnd, NextTurns } from '../_shared/cli/warm/next-turns';
import { Servers } from '../_shared/cli/warm/servers';
import type { SpareKind } from '../_shared/cli/warm/spare';
import { isInstruction } from '../_shared/http/message-parts';
import { fitsProgram } from './client-tools';
import { limitVariables, type Options } from './environment';
import { EventReader, type EventReaderOptions } from './event-reader';
import { toTurns, userLine } from './history';
import { beginChat } from './input-program';
import { adjustSession, answerCalls, type Opening, openSession } from './open-session';
import type { Session } from './session';
import { ToolReader } from './tool-reader';

/** A program that holds a conversation takes 200 MB. */
const CONVERSATIONS = 2;
const CONVERSATION_MS = 60_000;
/** A ready program answers within 1 s, also where the machine has eight times the work that it can do. One that hangs holds up no chat. */
const SPARE_ANSWERS_WITHIN_MS = 2_000;

/** A chat that a program which holds conversations may serve. */
interface WarmChat extends Opening {
  /** As the client sent it. */
  request: ChatRequest;
  call: Call;
  kind: SpareKind<Session>;
  reading: EventReaderOptions;
  /** Whether no other run can serve it. */
  isSessionOnly: boolean;
}

type Ask = TurnStart<Session>['ask'];
type Begin = (session: Session, warm: Warmth, ask: Ask, goesOn?: boolean) => Promise<TakenChat | undefined>;

/** The programs that are kept for chats: ready ones, those that hold a conversation, and those that wait for a client. */
export class WarmChats {
  private readonly spares: Servers<Session>;
  private readonly next: NextTurns<Session>;

  /** `keeps`: whether a program is kept that no client waits for. */
  constructor(
    private readonly context: DriverContext<Options>,
    private readonly keeps: boolean,
  ) {
    const { warm_idle_sec: idleSec, warm_max: most } = context.options;
    const idleMs = idleSec * 1000;
    this.spares = new Servers(context, { most: keeps ? most : 0, forMs: idleMs });
    this.next = new NextTurns(context, { most: CONVERSATIONS, forMs: Math.min(CONVERSATION_MS, idleMs) });
  }

  /** Undefined where a run of its own answers: no program is ready, or the one that was does not do as expected. */
  async take(chat: WarmChat): Promise<TakenChat | undefined> {
    const { request, call, kind, client, reading } = chat;
    const { tools, names } = client;
    const areClientsTools = tools.length > 0;
    const marks = marksOf(request.messages, [call.scope, kind.key, limitVariables(request), request.tools]);
    const begin: Begin = async (session, warm, ask, goesOn = false) => {
      const events = new EventReader({ ...reading, goesOn, spent: session, areClientsTools });
      try {
        return await beginChat(
          this.context,
          { call, name: kind.name, program: session, events },
          {
            ...{ warm, ask, settle: (end) => this.settle(end, chat, marks, events.isCut) },
            read: ({ server }, turn) =>
              areClientsTools && server ? new ToolReader(events, server, names, (line) => turn.push(line)) : events,
          },
        );
      } catch (error) {
        if (call.signal.aborted) {
          this.refill(kind);
          throw error;
        }
        const { message } = error as Error;
        call.log.info(`a program that was kept did not answer (${message}): another one is started`);
        return undefined;
      }
    };
    const resumed = await this.goOn(chat, marks, begin);
    if (resumed) return resumed;
    const spare = this.spares.take(kind);
    const open: Ask = (session, turn) => openSession(session, chat, turn, SPARE_ANSWERS_WITHIN_MS);
    const taken = spare && (await begin(spare, 'hit', open));
    if (taken) this.spares.worked(kind);
    return taken ?? (chat.isSessionOnly ? this.start(chat, begin) : undefined);
  }

  /** Starts the next spare. */
  refill(kind: SpareKind<Session>): void {
    this.spares.refill(kind);
  }

  close(): void {
    this.spares.close();
  }

  /** Goes on in the program that holds the conversation. */
  private async goOn(
    { call: { scope }, client }: WarmChat,
    marks: Marks,
    begin: Begin,
  ): Promise<TakenChat | undefined> {
    const waiting = this.next.takeWaiting(marks, scope, fitsProgram);
    if (waiting) {
      const { holder } = waiting;
      return begin(holder, 'resumed', (_, turn) => answerCalls(holder, waiting, client, turn), true);
    }
    // A program takes its instructions when it starts, so a later one needs another program.
    const isInstructed = marks.tail.some(isInstruction);
    const holder = scope === undefined || isInstructed ? undefined : this.next.conversations.take(marks.before);
    const turns = holder && toTurns(marks.tail);
    if (!holder || turns?.length !== 1) return void holder?.stop();
    return begin(holder, 'resumed', async (_, turn) => {
      await adjustSession(holder, client);
      await holder.begin(turn, () => holder.write(userLine(turns[0]!, true)));
    });
  }

  /** Starts a program for the chat. What goes wrong is a failure of the chat, which the frame explains. */
  private async start(chat: WarmChat, begin: Begin): Promise<TakenChat | undefined> {
    const session = await chat.kind.start();
    return begin(session, 'cold', async (_, turn) => {
      try {
        await session.ready;
        await openSession(session, chat, turn);
      } catch (failure) {
        // The end of the session reports how it has ended.
        if (!session.isGone) turn.push({ text: (failure as Error).message, json: undefined });
        turn.end();
      }
    });
  }

  private settle(end: ChatEnd<Session>, { call, kind }: WarmChat, marks: Marks, isCut: boolean): void {
    const { holder } = end;
    this.next.settle(end, call, marks, this.keeps && !holder.isBent && !isCut);
    void holder.gone.then(() => {
      if (this.next.forget(holder)) void holder.warnOfEnd(this.context);
    });
    this.refill(kind);
  }
}
