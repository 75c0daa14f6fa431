import type { Call, ChatRequest, DriverContext } from 'drivebay/plugin';
import type { CliRun } from '../_shared/cli/cli-run';
import type { ChatEnd } from '../_shared/cli/warm/next-turns';
import { RecordedReader } from '../_shared/cli/warm/recorded-reader';
import { TurnLines } from '../_shared/cli/warm/turn-lines';
import { untilAborted } from '../_shared/until-aborted';
import { EventReader, type EventReaderOptions } from './event-reader';
import type { Opening } from './open-session';
import type { Session } from './session';
import type { SessionKind } from './session-kind';
import { ToolReader } from './tool-reader';

/** A chat that a program which holds conversations may serve. */
export interface SessionChat extends Opening {
  /** As the client sent it. */
  request: ChatRequest;
  call: Call;
  kind: SessionKind;
  reading: EventReaderOptions;
}

export type TakenChat = Pick<CliRun, 'running' | 'warm' | 'reader' | 'release'>;

interface Turn {
  session: Session;
  warm: NonNullable<CliRun['warm']>;
  /** Tells the program what is new. Resolves when it has taken that. */
  take: (turn: TurnLines) => Promise<unknown>;
  /** Called once the program has taken it, at the end of the chat. */
  settle: (end: ChatEnd<Session>) => void;
}

/**
 * Begins a chat in a program. Undefined where the program does not do as expected: then it has been ended. The failure of
 * one that was started for this chat is a failure of the chat, which the frame explains.
 */
export async function beginTurn(
  { error }: Pick<DriverContext, 'error'>,
  { call, kind, client, reading }: SessionChat,
  { session, warm, take, settle }: Turn,
): Promise<TakenChat | undefined> {
  const turn = new TurnLines(session.program, () => session.stop());
  const cancel = (): void => {
    turn.cancel(error('canceled', `${kind.name} was stopped`, { cause: call.signal.reason }));
    void session.stop();
  };
  const areClientsTools = client.tools.length > 0;
  const events = new EventReader({ ...reading, spent: session, areClientsTools });
  session.onErrorLine = (line) => {
    const { warning } = events.readErrorLine(line) ?? {};
    if (warning !== undefined) call.log.warn(`${kind.name}: ${warning}`);
  };
  call.signal.addEventListener('abort', cancel);
  try {
    await untilAborted(take(turn), call.signal);
  } catch (failure) {
    call.signal.removeEventListener('abort', cancel);
    const release = (): void => void session.stop();
    if (call.signal.aborted) {
      release();
      throw error('canceled', `${kind.name} was stopped`, { cause: failure });
    }
    const { message } = failure as Error;
    if (warm === 'cold') {
      turn.push({ text: message, json: undefined });
      turn.end();
      return { running: turn, warm, reader: events, release };
    }
    release();
    call.log.info(`a program that was kept did not answer (${message}): another one is started`);
    return undefined;
  }
  const reader =
    areClientsTools &&
    session.server &&
    new ToolReader(events, session.server, client.names, (line) => turn.push(line));
  const recorded = new RecordedReader(reader || events);
  const release = (): void => {
    call.signal.removeEventListener('abort', cancel);
    if (reader) reader.close();
    session.endTurn();
    settle({ holder: session, recorded, calls: reader ? reader.calls : new Map<string, string>() });
  };
  return { running: turn, warm, reader: recorded, release };
}
