import type { Call, DriverContext } from 'drivebay/plugin';
import { beginTurn, type TakenChat, type TurnStart } from '../_shared/cli/warm/begin-turn';
import { LiveProgram } from '../_shared/cli/warm/live-program';
import type { TurnLines } from '../_shared/cli/warm/turn-lines';
import type { EventReader } from './event-reader';

/** A process of the program that reads what its user says from its input (`--input-format stream-json`). */
export abstract class InputProgram extends LiveProgram {
  /** What the program says the conversation has cost so far. */
  costUsd = 0;
  protected turn: TurnLines | undefined;

  endTurn(): void {
    this.turn = undefined;
  }
}

/** Begins a chat in a program. Its warnings go to the log of the call. */
export function beginChat<Of extends InputProgram>(
  context: Pick<DriverContext, 'error'>,
  { call, name, program, events }: { call: Call; name: string; program: Of; events: EventReader },
  start: Pick<TurnStart<Of>, 'warm' | 'ask' | 'read' | 'settle'>,
): Promise<TakenChat> {
  program.onErrorLine = (line) => {
    const { warning } = events.readErrorLine(line) ?? {};
    if (warning !== undefined) call.log.warn(`${name}: ${warning}`);
  };
  const open = () => Promise.resolve(program);
  return beginTurn<Of>(context, { call, name }, { ...start, open, end: ({ program: own }) => own });
}
