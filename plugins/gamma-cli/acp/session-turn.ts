import type { Call, ChatEvent, ChatRequest, DriverContext, Warmth } from 'drivebay/plugin';
import type { CliRun } from '../../_shared/cli/cli-run';
import { newCallId } from '../../_shared/cli/client-tools/call-id';
import type { ClientTools } from '../../_shared/cli/client-tools/client-tools';
import type { ChatEnd } from '../../_shared/cli/warm/next-turns';
import { RecordedReader } from '../../_shared/cli/warm/recorded-reader';
import { TurnLines } from '../../_shared/cli/warm/turn-lines';
import { untilAborted } from '../../_shared/until-aborted';
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
export interface Start {
  program: AcpProgram;
  warm: Warmth;
  open: () => Promise<AcpSession>;
  begin: (session: AcpSession, turn: TurnLines) => Promise<void>;
}

export type Taken = Pick<CliRun, 'running' | 'warm' | 'reader' | 'release'>;

/** Begins a chat in a session. Rejects where the program does not do as expected, and when the client leaves: the session has ended then. */
export async function beginTurn(
  { driver, error }: Pick<DriverContext, 'driver' | 'error'>,
  { call, kind, client }: SessionChat,
  { warm, open, begin }: Start,
  settle: (end: ChatEnd<AcpSession>) => void,
): Promise<Taken> {
  const calls = new Map<string, string>();
  const toEvent = ({ name, args }: ToolCall): ChatEvent => {
    const id = newCallId();
    calls.set(id, id);
    const event = { type: 'tool_call', index: 0, id, name, arguments: argumentsFor(args, client, name) } as const;
    return client.names?.restore(event) ?? event;
  };
  const recorded = new RecordedReader(new UpdateReader(kind.dialect, call.deadline, toEvent));
  let session: AcpSession | undefined;
  let turn: TurnLines | undefined;
  const canceled = () => error('canceled', `${kind.name} was stopped`, { cause: call.signal.reason });
  /** The program says on its standard error that it tries again, but not for whom: known where only one asks. */
  const hear = (line: string): void => {
    const reading = recorded.readErrorLine(line);
    if (reading?.retry) call.trace(`${driver.replaceAll('-', '_')}.retry`, reading.retry);
    if (reading?.outcome?.type !== 'failure' || !session || session.program.asking > 1) return;
    session.fail(reading.outcome.report.text ?? line);
    void session.stop();
  };
  const beginning = (async () => {
    const own = await open();
    session = own;
    if (call.signal.aborted) throw canceled();
    turn = new TurnLines(own.program.program, () => own.stop());
    own.program.onErrorLine = hear;
    await begin(own, turn);
  })();
  try {
    await untilAborted(beginning, call.signal);
  } catch (failure) {
    void session?.stop();
    // A session that is still being made is ended when it is there.
    void beginning.catch(() => undefined).then(() => session?.stop());
    throw call.signal.aborted ? canceled() : failure;
  }
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
    settle({ holder: begun, recorded, calls });
  };
  return { running: lines, warm, reader: recorded, release };
}

/** A turn that fails with the words of the program, before it has begun. */
export function refusedTurn({ call, kind }: SessionChat, { program, warm }: Start, failure: AcpError): Taken {
  const toEvent = (): never => {
    throw new Error('it has no call');
  };
  const turn = new TurnLines(program.program, () => Promise.resolve());
  turn.push({ text: '', json: { end: { answers: 0, failure } } });
  turn.end();
  return { running: turn, warm, reader: new UpdateReader(kind.dialect, call.deadline, toEvent) };
}
