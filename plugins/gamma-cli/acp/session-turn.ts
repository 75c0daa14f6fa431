import type { Call, ChatEvent, ChatRequest, DriverContext } from 'drivebay/plugin';
import { newCallId } from '../../_shared/http/tool-calls';
import type { ClientTools } from '../../_shared/cli/client-tools/client-tools';
import { beginTurn, type TakenChat, type TurnStart } from '../../_shared/cli/warm/begin-turn';
import { TurnLines } from '../../_shared/cli/warm/turn-lines';
import type { AcpError } from './acp-error';
import type { AcpProgram } from './acp-program';
import type { AcpSession } from './acp-session';
import { argumentsFor } from './client-tools';
import type { ProgramKind } from './program-kind';
import type { ToolCall } from './tool-server';
import { UpdateReader } from './update-reader';

/** A chat that a session may serve. */
export interface SessionChat {
  /** As the client sent it. */
  request: ChatRequest;
  call: Call;
  kind: ProgramKind;
  client: ClientTools;
}

/** How a chat begins in a session. */
export interface Start extends Pick<TurnStart<AcpSession>, 'warm' | 'open' | 'ask'> {
  program: AcpProgram;
}

/** Begins a chat in a session. */
export function beginSessionTurn(
  { driver, error }: Pick<DriverContext, 'driver' | 'error'>,
  { call, kind, client }: SessionChat,
  { warm, open, ask }: Start,
  settle: TurnStart<AcpSession>['settle'],
): Promise<TakenChat> {
  const calls = new Map<string, string>();
  const toEvent = ({ name, args }: ToolCall): ChatEvent => {
    const id = newCallId();
    calls.set(id, id);
    const event = { type: 'tool_call', index: 0, id, name, arguments: argumentsFor(args, client, name) } as const;
    return client.names?.restore(event) ?? event;
  };
  const reader = new UpdateReader(kind.dialect, call.deadline, toEvent);
  let asked: AcpSession | undefined;
  /** The program says on its standard error that it tries again, but not for whom: known where only one asks. */
  const hear = (line: string): void => {
    const { retry, outcome } = reader.readErrorLine(line) ?? {};
    if (retry) call.trace(`${driver.replaceAll('-', '_')}.retry`, retry);
    if (outcome?.type !== 'failure' || !asked || asked.program.asking > 1) return;
    asked.fail(outcome.report.text ?? line);
    void asked.stop();
  };
  return beginTurn<AcpSession>(
    { error },
    { call, name: kind.name },
    {
      ...{ warm, open, end: ({ program }) => program.program, read: () => reader },
      ask(session, turn) {
        asked = session;
        session.program.onErrorLine = hear;
        return ask(session, turn);
      },
      settle(end) {
        const { program } = end.holder;
        if (program.onErrorLine === hear) program.onErrorLine = () => undefined;
        settle({ ...end, calls });
      },
    },
  );
}

/** A turn that fails with the words of the program, before it has begun. */
export function refusedTurn({ call, kind }: SessionChat, { program, warm }: Start, failure: AcpError): TakenChat {
  const toEvent = (): never => {
    throw new Error('it has no call');
  };
  const turn = new TurnLines(program.program, () => Promise.resolve());
  turn.push({ text: '', json: { end: { answers: 0, failure } } });
  turn.end();
  return { running: turn, warm, reader: new UpdateReader(kind.dialect, call.deadline, toEvent) };
}
