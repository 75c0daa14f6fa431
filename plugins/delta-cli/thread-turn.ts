import type { Call, DriverContext } from 'drivebay/plugin';
import type { CliRun } from '../_shared/cli/cli-run';
import type { ClientTools } from '../_shared/cli/client-tools/client-tools';
import type { ChatEnd } from '../_shared/cli/warm/next-turns';
import { RecordedReader } from '../_shared/cli/warm/recorded-reader';
import { TurnLines } from '../_shared/cli/warm/turn-lines';
import { untilAborted } from '../_shared/until-aborted';
import type { ServerKind } from './server-kind';
import type { Thread } from './thread';
import { ThreadReader } from './thread-reader';
import { ToolReader } from './tool-reader';

/** A chat that a thread may serve. */
export interface ThreadChat {
  call: Call;
  kind: ServerKind;
  client: ClientTools;
  usesProxy: boolean;
}

export interface ThreadEnd extends ChatEnd<Thread> {
  hasRetried: boolean;
}

export type TakenChat = Pick<CliRun, 'running' | 'warm' | 'reader' | 'release'>;

interface TurnParts {
  warm: NonNullable<CliRun['warm']>;
  open: () => Promise<Thread>;
  /** Tells the thread what is new. */
  ask: (thread: Thread, turn: TurnLines) => Promise<void>;
  /** Hears of a thread that did not take the chat. */
  fail: (error: Error, thread: Thread | undefined) => void;
  settle: (end: ThreadEnd) => void;
}

/** Has a thread answer a chat. Undefined where it does not take the chat. */
export async function beginTurn(
  context: Pick<DriverContext, 'error'>,
  chat: ThreadChat,
  { warm, open, ask, fail, settle }: TurnParts,
): Promise<TakenChat | undefined> {
  const { call, kind } = chat;
  const begun: { thread?: Thread; turn?: TurnLines } = {};
  const canceled = () => context.error('canceled', `${kind.name} was stopped`, { cause: call.signal.reason });
  const begin = async (): Promise<void> => {
    const thread = (begun.thread = await open());
    if (call.signal.aborted) throw canceled();
    begun.turn = new TurnLines(thread.end, () => thread.stop());
    await ask(thread, begun.turn);
  };
  const beginning = begin();
  try {
    await untilAborted(beginning, call.signal);
  } catch (error) {
    // A turn that begins only now is ended as soon as it is there.
    const end = (): void => void begun.thread?.stop();
    void beginning.then(end, end);
    if (call.signal.aborted) throw canceled();
    fail(error as Error, begun.thread);
    return undefined;
  }
  const { thread, turn } = begun as Required<typeof begun>;
  const cancel = (): void => {
    turn.cancel(canceled());
    void thread.stop();
  };
  if (call.signal.aborted) cancel();
  call.signal.addEventListener('abort', cancel);
  const { own, tools } = readersOf(chat, thread, turn);
  const recorded = new RecordedReader(tools ?? own);
  const release = (): void => {
    call.signal.removeEventListener('abort', cancel);
    tools?.close();
    thread.endTurn();
    thread.total = own.total;
    settle({ holder: thread, recorded, calls: tools?.calls ?? NONE, hasRetried: own.hasRetried });
  };
  return { running: turn, warm, reader: recorded, release };
}

function readersOf({ client, usesProxy }: ThreadChat, { total: before }: Thread, turn: TurnLines) {
  const { request, tools, names } = client;
  const own = new ThreadReader({ usesProxy, isStreamed: request.stream, before });
  return { own, tools: tools.length > 0 ? new ToolReader(own, names, (line) => turn.push(line)) : undefined };
}

const NONE: ReadonlyMap<string, string> = new Map();
