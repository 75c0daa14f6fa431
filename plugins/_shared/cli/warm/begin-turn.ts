import type { Call, DriverContext, Subprocess, Warmth } from 'drivebay/plugin';
import { untilAborted } from '../../until-aborted';
import type { CliRun, RunReader, Said } from '../cli-run';
import type { Holder } from './kept-holders';
import type { ChatEnd } from './next-turns';
import { TurnLines } from './turn-lines';

/** The part of a program that answers one chat: the program itself, or a thread or session of it. */
interface TurnHolder extends Holder {
  /** No turn reads its lines from now on. */
  endTurn(): void;
}

/** Reads one turn; with the tools of a client also the calls that the turn ends with. */
interface TurnReader extends RunReader {
  /** The program's own id of each call, by the id that the client has. */
  readonly calls?: ReadonlyMap<string, string>;
  close?(): void;
}

export interface TurnStart<Of extends TurnHolder> {
  warm: Warmth;
  open: () => Promise<Of>;
  /** What is known of the end of the program. */
  end: (holder: Of) => Pick<Subprocess, 'error' | 'exited' | 'stderr'>;
  /** Tells the holder what is new. Resolves when the holder has taken it. */
  ask: (holder: Of, turn: TurnLines) => Promise<unknown>;
  /** Makes the reader of the answer, once the holder has taken the chat. */
  read: (holder: Of, turn: TurnLines) => TurnReader;
  /** Called at the end of the chat. What it returns is the end of the run. */
  settle: (end: ChatEnd<Of>) => unknown;
}

export type TakenChat = Pick<CliRun, 'running' | 'warm' | 'reader' | 'release'>;

/**
 * Begins a chat in a program that is kept. Rejects where the holder does not take the chat, and with `canceled` when the
 * client leaves: the holder has been stopped by then.
 */
export async function beginTurn<Of extends TurnHolder>(
  { error }: Pick<DriverContext, 'error'>,
  { call: { signal }, name }: { call: Pick<Call, 'signal'>; name: string },
  { warm, open, end, ask, read, settle }: TurnStart<Of>,
): Promise<TakenChat> {
  const canceled = () => error('canceled', `${name} was stopped`, { cause: signal.reason });
  let opened: Of | undefined;
  const begin = async (): Promise<{ holder: Of; turn: TurnLines }> => {
    const holder = (opened = await open());
    if (signal.aborted) throw canceled();
    const turn = new TurnLines(end(holder), () => holder.stop());
    await ask(holder, turn);
    return { holder, turn };
  };
  const beginning = begin();
  const begun = await untilAborted(beginning, signal).catch((failure: Error) => {
    const stop = (): void => void opened?.stop();
    stop();
    // A holder that is still being made is stopped as soon as it is there.
    void beginning.then(stop, stop);
    throw signal.aborted ? canceled() : failure;
  });
  const { holder, turn } = begun;
  const cancel = (): void => {
    turn.cancel(canceled());
    void holder.stop();
  };
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  const reader = read(holder, turn);
  const release = (_program?: unknown, said: Said = { text: '', calls: [] }): unknown => {
    signal.removeEventListener('abort', cancel);
    reader.close?.();
    holder.endTurn();
    return settle({ holder, said, calls: reader.calls ?? NONE });
  };
  return { running: turn, warm, reader, release };
}

const NONE: ReadonlyMap<string, string> = new Map();
