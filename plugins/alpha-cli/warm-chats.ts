import type { Call, ChatRequest, DriverContext } from 'drivebay/plugin';
import type { CliRun } from '../_shared/cli/cli-run';
import { Conversations } from '../_shared/cli/warm/conversations';
import { marksOf, type Marks } from '../_shared/cli/warm/fingerprint';
import { RecordedReader } from '../_shared/cli/warm/recorded-reader';
import { Spares } from '../_shared/cli/warm/spares';
import { TurnLines } from '../_shared/cli/warm/turn-lines';
import { untilAborted } from '../_shared/until-aborted';
import { limitVariables } from './environment';
import { EventReader, type EventReaderOptions } from './event-reader';
import { assistantLine, textBlock, toTurns, userLine } from './history';
import type { Options } from './options';
import type { Session } from './session';
import type { SessionKind } from './session-kind';

/** A program that holds a conversation takes 200 MB. */
const CONVERSATIONS = { state: 'conversation', most: 2 } as const;
const CONVERSATION_MS = 60_000;

/** A chat that a program which is kept may serve. */
export interface WarmChat {
  request: ChatRequest;
  call: Call;
  kind: SessionKind;
  system: string | undefined;
  /** The whole conversation as one text. */
  prompt: string;
  reading: EventReaderOptions;
}

type Taken = Pick<CliRun, 'running' | 'warm' | 'reader' | 'release'>;

/** The programs that are kept for chats: ready ones, and those that hold a conversation. */
export class WarmChats {
  private readonly spares: Spares<Session>;
  private readonly conversations: Conversations<Session>;
  private readonly idleMs: number;

  constructor(private readonly context: DriverContext<Options>) {
    const { warm_idle_sec: idleSec, warm_max: most } = context.options;
    this.idleMs = idleSec * 1000;
    this.spares = new Spares(context, { most, forMs: this.idleMs });
    this.conversations = new Conversations(context);
  }

  /** Undefined where no program is ready: then a run of its own answers. So does it after every surprise. */
  async take(chat: WarmChat): Promise<Taken | undefined> {
    const { request, call, kind } = chat;
    const marks = marksOf(request.messages, [call.scope, kind.key, limitVariables(request)]);
    // A program takes its instructions when it starts, so a later one needs another program.
    const isInstructed = marks.tail.some(({ role }) => role === 'system' || role === 'developer');
    const holder = call.scope === undefined || isInstructed ? undefined : this.conversations.take(marks.before);
    if (holder) {
      const turns = toTurns(marks.tail, sameName);
      const taken =
        turns?.length === 1 &&
        (await this.begin(holder, chat, marks, 'resumed', async (turn) =>
          holder.begin(turn, () => holder.write(userLine(turns[0]!, true))),
        ));
      if (taken) return taken;
    }
    const spare = this.spares.take(kind.key);
    return spare && (await this.begin(spare, chat, marks, 'hit', (turn) => this.open(spare, chat, turn)));
  }

  /** Starts the next spare. */
  refill(kind: SessionKind): void {
    this.spares.refill(kind);
  }

  close(): void {
    this.spares.close();
  }

  private async begin(
    session: Session,
    chat: WarmChat,
    marks: Marks,
    warm: 'hit' | 'resumed',
    take: (turn: TurnLines) => Promise<unknown>,
  ): Promise<Taken | undefined> {
    const { call, kind } = chat;
    const turn = new TurnLines(session.program, () => session.stop());
    const cancel = (): void => {
      turn.cancel(this.context.error('canceled', `${kind.name} was stopped`, { cause: call.signal.reason }));
      void session.stop();
    };
    const reader = new RecordedReader(new EventReader({ ...chat.reading, spent: session }));
    session.onErrorLine = (line) => {
      const { warning } = reader.readErrorLine(line) ?? {};
      if (warning !== undefined) call.log.warn(`${kind.name}: ${warning}`);
    };
    call.signal.addEventListener('abort', cancel);
    try {
      await untilAborted(take(turn), call.signal);
    } catch (error) {
      call.signal.removeEventListener('abort', cancel);
      void session.stop();
      if (call.signal.aborted) {
        this.refill(kind);
        throw this.context.error('canceled', `${kind.name} was stopped`, { cause: error });
      }
      call.log.info(`a program that was kept did not answer (${(error as Error).message}): another one is started`);
      return undefined;
    }
    const release = (): void => {
      call.signal.removeEventListener('abort', cancel);
      session.endTurn();
      this.settle(session, reader, chat, marks);
    };
    return { running: turn, warm, reader, release };
  }

  /** Writes everything that a program has to know that knows nothing yet. */
  private async open(session: Session, { request, system, prompt }: WarmChat, turn: TurnLines): Promise<void> {
    const turns = toTurns(request.messages, sameName) ?? [{ role: 'user', content: [textBlock(prompt)] }];
    const settings = [
      session.control({ subtype: 'initialize', ...(system !== undefined && { systemPrompt: [system] }) }),
    ];
    const env = limitVariables(request);
    if (Object.keys(env).length > 0) {
      settings.push(session.control({ subtype: 'apply_flag_settings', settings: { env } }));
      const { MAX_THINKING_TOKENS: budget } = env;
      if (budget !== undefined) {
        settings.push(session.control({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: Number(budget) }));
      }
    }
    const isSet = Promise.all(settings);
    isSet.catch(() => undefined);
    for (const earlier of turns.slice(0, -1)) {
      // The program queues what a user says, and takes what a model has said at once.
      if (earlier.role === 'user') await session.tell(userLine(earlier, false));
      else session.write(assistantLine(earlier, request.model));
    }
    await Promise.all([isSet, session.begin(turn, () => session.write(userLine(turns.at(-1)!, true)))]);
  }

  private settle(
    session: Session,
    { outcome, answered }: RecordedReader,
    { call, kind }: WarmChat,
    marks: Marks,
  ): void {
    const isWhole = outcome?.type === 'answer' && outcome.finish === 'stop';
    if (isWhole && call.scope !== undefined && !call.signal.aborted && !session.isGone) {
      const forMs = Math.min(CONVERSATION_MS, this.idleMs);
      this.conversations.keep(marks.after(answered), session, { ...CONVERSATIONS, forMs });
      void session.gone.then(() => this.conversations.forget(session));
    } else void session.stop();
    this.refill(kind);
  }
}

const sameName = (name: string): string => name;
