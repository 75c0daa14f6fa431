import type { Call, DriverContext } from 'drivebay/plugin';
import type { ClientTools } from '../_shared/cli/client-tools/client-tools';
import { beginTurn, type TakenChat, type TurnStart } from '../_shared/cli/warm/begin-turn';
import type { ChatEnd } from '../_shared/cli/warm/next-turns';
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

interface ThreadStart extends Pick<TurnStart<Thread>, 'warm' | 'open' | 'ask'> {
  settle: (end: ThreadEnd) => void;
}

/** Has a thread answer a chat. */
export function beginThreadTurn(
  context: Pick<DriverContext, 'error'>,
  { call, kind, client, usesProxy }: ThreadChat,
  { settle, ...start }: ThreadStart,
): Promise<TakenChat> {
  const { request, tools, names } = client;
  const made: { own?: ThreadReader } = {};
  return beginTurn(
    context,
    { call, name: kind.name },
    {
      ...start,
      end: (thread) => thread.end,
      read(thread, turn) {
        const own = new ThreadReader({ usesProxy, isStreamed: request.stream, before: thread.total });
        made.own = own;
        return tools.length > 0 ? new ToolReader(own, names, (line) => turn.push(line)) : own;
      },
      settle(end) {
        const { total, hasRetried } = made.own!;
        end.holder.total = total;
        settle({ ...end, hasRetried });
      },
    },
  );
}
