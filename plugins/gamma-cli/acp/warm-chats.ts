import type { Call, ChatRequest, DriverContext } from 'drivebay/plugin';
import type { CliRun } from '../../_shared/cli/cli-run';
import { Conversations } from '../../_shared/cli/warm/conversations';
import { marksOf, type Marks } from '../../_shared/cli/warm/fingerprint';
import { RecordedReader } from '../../_shared/cli/warm/recorded-reader';
import { Servers } from '../../_shared/cli/warm/servers';
import { TurnLines } from '../../_shared/cli/warm/turn-lines';
import { untilAborted } from '../../_shared/until-aborted';
import type { Options } from '../options';
import { AcpError } from './acp-error';
import type { AcpProgram } from './acp-program';
import type { AcpSession } from './acp-session';
import type { ProgramKind } from './program-kind';
import { SessionMaker } from './session-maker';
import { isCommand, toTurns, type Told } from './turns';
import { UpdateReader } from './update-reader';

/** A session takes little: the program is there anyway. */
const CONVERSATIONS = { state: 'conversation', most: 32 } as const;
const CONVERSATION_MS = 600_000;

/** A chat that a program which is kept may serve. */
export interface WarmChat {
  request: ChatRequest;
  call: Call;
  kind: ProgramKind;
}

type Taken = Pick<CliRun, 'running' | 'warm' | 'reader' | 'release'>;

/** The programs that are kept for chats, and the conversations that they hold. */
export class WarmChats {
  /** By what their programs cannot change: Qwen Code has one model. */
  private readonly servers = new Map<string, Servers<AcpProgram>>();
  private readonly programs = new Set<AcpProgram>();
  private readonly sessions = new SessionMaker();
  private readonly conversations: Conversations<AcpSession>;
  private readonly idleMs: number;

  constructor(private readonly context: DriverContext<Options>) {
    this.idleMs = context.options.warm_idle_sec * 1000;
    this.conversations = new Conversations(context);
  }

  /** Undefined where no program is ready: then a run of its own answers. So does it after every surprise. */
  async take(chat: WarmChat): Promise<Taken | undefined> {
    const { request, call, kind } = chat;
    const program = this.serversOf(kind).find(kind);
    if (!program) return undefined;
    const marks = marksOf(request.messages, [call.scope, kind.key, request.model]);
    return (await this.goOn(chat, marks)) ?? this.beginAnew(chat, marks, program);
  }

  /** Starts the program for the next chats, where there is none. */
  refill({ kind, request }: WarmChat): void {
    const servers = this.serversOf(kind);
    const program = servers.find(kind);
    if (program) this.sessions.prepare(program, servers, this.partsOf(request, kind).system);
    servers.refill(kind);
  }

  /** Resolves when no program is left. */
  async close(): Promise<void> {
    for (const servers of this.servers.values()) servers.close();
    await Promise.all([...this.programs].map((program) => program.stop()));
  }

  /** For a program that was started. */
  readonly add = (program: AcpProgram): void => {
    this.programs.add(program);
    void program.gone.then(() => this.programs.delete(program));
  };

  private serversOf({ slot }: ProgramKind): Servers<AcpProgram> {
    let servers = this.servers.get(slot);
    if (!servers) {
      servers = new Servers(this.context, { most: this.context.options.warm_max, forMs: this.idleMs });
      this.servers.set(slot, servers);
    }
    return servers;
  }

  private async goOn(chat: WarmChat, marks: Marks): Promise<Taken | undefined> {
    const { call, kind } = chat;
    if (call.scope === undefined) return undefined;
    // A session has its instructions from its beginning.
    const isPlain = marks.tail.every(({ role }) => role === 'user');
    const told = isPlain ? toTurns(marks.tail) : undefined;
    if (!told || told.turns.length > 0 || isCommand(told.prompt)) return undefined;
    const session = this.conversations.take(marks.before);
    if (!session) return undefined;
    const taken = this.begin(chat, marks, 'resumed', () => Promise.resolve(session), told.prompt);
    return taken.catch((error: unknown) => this.surprised(chat, error, session.program, kind));
  }

  private async beginAnew(chat: WarmChat, marks: Marks, program: AcpProgram): Promise<Taken | undefined> {
    const { request, kind } = chat;
    const { system, turns, prompt } = this.partsOf(request, kind);
    if (isCommand(prompt)) return undefined;
    const open = async (): Promise<AcpSession> => {
      const session = await this.sessions.make(program, this.serversOf(kind), { system, turns, mcpServers: [] });
      if (kind.dialect === 'gemini' && request.model !== undefined) await session.setModel(request.model);
      return session;
    };
    const taken = this.begin(chat, marks, 'hit', open, prompt);
    return taken.catch((error: unknown) => this.surprised(chat, error, program, kind));
  }

  /** The parts of a request. All sessions of Gemini CLI have one system prompt, so that of the client begins its first text. */
  private partsOf({ messages }: ChatRequest, { dialect }: ProgramKind): Told {
    const isSeparate = dialect === 'qwen';
    const told = toTurns(messages);
    if (!told) {
      const { system = '', prompt } = this.context.layoutPrompt(messages, { separateSystem: isSeparate });
      return { system, turns: [], prompt };
    }
    if (isSeparate || told.system === '') return told;
    const first = told.turns[0] ?? { text: told.prompt };
    const text = `${told.system}\n\n${first.text}`;
    if (told.turns.length === 0) return { system: '', turns: [], prompt: text };
    return { system: '', turns: [{ role: 'user', text }, ...told.turns.slice(1)], prompt: told.prompt };
  }

  private async begin(
    chat: WarmChat,
    marks: Marks,
    warm: 'hit' | 'resumed',
    open: () => Promise<AcpSession>,
    prompt: string,
  ): Promise<Taken> {
    const { call, kind } = chat;
    const reader = new RecordedReader(new UpdateReader(kind.dialect, call.deadline));
    let session: AcpSession | undefined;
    let turn: TurnLines | undefined;
    const canceled = () => this.context.error('canceled', `${kind.name} was stopped`, { cause: call.signal.reason });
    const hear = (line: string): void => this.hear(line, chat, session!, reader);
    const beginning = (async () => {
      session = await open();
      const own = session;
      if (call.signal.aborted) throw canceled();
      turn = new TurnLines(own.program.program, () => own.stop());
      own.program.onErrorLine = hear;
      await own.begin(turn, prompt);
    })();
    try {
      await untilAborted(beginning, call.signal);
    } catch (error) {
      void session?.stop();
      // A session that is still being made is ended when it is there.
      void beginning.catch(() => undefined).then(() => session?.stop());
      if (call.signal.aborted) throw canceled();
      throw error;
    }
    this.serversOf(kind).worked(kind);
    const [begun, lines] = [session!, turn!];
    const cancel = (): void => {
      lines.cancel(canceled());
      void begun.stop();
    };
    if (call.signal.aborted) cancel();
    call.signal.addEventListener('abort', cancel);
    const release = (): void => {
      call.signal.removeEventListener('abort', cancel);
      if (begun.program.onErrorLine === hear) begun.program.onErrorLine = () => undefined;
      begun.endTurn();
      this.settle(chat, marks, begun, reader);
    };
    return { running: lines, warm, reader, release };
  }

  private settle(chat: WarmChat, marks: Marks, session: AcpSession, { outcome, answered }: RecordedReader): void {
    const { call } = chat;
    const isWhole = outcome?.type === 'answer' && outcome.finish === 'stop' && !call.signal.aborted;
    if (isWhole && call.scope !== undefined && !session.isGone) {
      const forMs = Math.min(CONVERSATION_MS, this.idleMs);
      session.onEnd = () => this.conversations.forget(session);
      this.conversations.keep(marks.after(answered), session, { ...CONVERSATIONS, forMs });
      session.rest();
    } else void session.stop();
    this.refill(chat);
  }

  /** The program says on its standard error that it tries again, but not for whom: known where only one asks. */
  private hear(line: string, { call, kind }: WarmChat, session: AcpSession, reader: RecordedReader): void {
    const reading = reader.readErrorLine(line);
    if (reading?.retry) call.trace(`${this.context.driver.replaceAll('-', '_')}.retry`, reading.retry);
    if (reading?.outcome?.type !== 'failure' || session.program.asking > 1) return;
    call.log.info(`${kind.name} would go on for long`);
    session.fail(reading.outcome.report.text ?? line);
    void session.stop();
  }

  /** Costs time, and no answer. A program that refuses one chat may take others. */
  private surprised({ call }: WarmChat, error: unknown, program: AcpProgram, kind: ProgramKind): undefined {
    if (call.signal.aborted) throw error;
    const { message } = error as Error;
    call.log.info(`a program that was kept did not take the chat (${message}): another one is started`);
    // A login that is missing is not the program's fault.
    const isRefusal = error instanceof AcpError;
    if (isRefusal && error.isOfTheTalk) this.serversOf(kind).retire(program);
    else if (!isRefusal) this.serversOf(kind).fail(program, kind, error);
    return undefined;
  }
}
