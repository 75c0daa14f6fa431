import type { Usage } from 'drivebay/plugin';
import { fieldsIn, type Fields } from '../../_shared/fields';
import type { ToldTurn } from './turns';

/** What the program has written of a turn. */
export interface Written {
  /** The tokens of the requests that were not read before. */
  usage?: Usage;
  /** How often the model has finished an answer: more than once, where the program has asked it again. */
  answers: number;
}

/** The files in which a program keeps its sessions. They hold conversations, and are not kept longer than they are needed. */
export interface SessionFiles {
  /** Writes a session that the program can load. Resolves to the number of updates with which it repeats it. */
  write(sessionId: string, turns: readonly ToldTurn[]): Promise<number>;
  /** What has been written since the last reading or removal. Never rejects. */
  read(sessionId: string): Promise<Written>;
  /** Never rejects. */
  remove(sessionId: string): Promise<void>;
  /** Removes what is left of these sessions when the program has ended. Never rejects. */
  clear(sessionIds: readonly string[]): Promise<void>;
}

/** The values of a file of JSON lines, where they are objects. */
export function recordsIn(text: string): Fields[] {
  return text.split('\n').map(fieldsIn);
}
