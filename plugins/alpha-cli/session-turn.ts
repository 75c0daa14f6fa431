import type { Call, ChatRequest, DriverContext } from 'drivebay/plugin';
import { beginTurn, type TakenChat, type TurnStart } from '../_shared/cli/warm/begin-turn';
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

/** Begins a chat in a program. */
export function beginSessionTurn(
  context: Pick<DriverContext, 'error'>,
  { call, kind, client, reading }: SessionChat,
  session: Session,
  start: Pick<TurnStart<Session>, 'warm' | 'ask' | 'settle'>,
): Promise<TakenChat> {
  const { tools, names } = client;
  const areClientsTools = tools.length > 0;
  const events = new EventReader({ ...reading, spent: session, areClientsTools });
  session.onErrorLine = (line) => {
    const { warning } = events.readErrorLine(line) ?? {};
    if (warning !== undefined) call.log.warn(`${kind.name}: ${warning}`);
  };
  return beginTurn(
    context,
    { call, name: kind.name },
    {
      ...start,
      open: () => Promise.resolve(session),
      end: ({ program }) => program,
      read: ({ server }, turn) =>
        areClientsTools && server ? new ToolReader(events, server, names, (line) => turn.push(line)) : events,
    },
  );
}
