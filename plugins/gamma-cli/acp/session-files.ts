import { readdirSync, readFileSync, unlinkSync } from 'node:fs';
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

/**
 * The files in which a program keeps its sessions. They hold conversations, and are not kept longer than they are needed.
 * Speed: what each turn asks for is sync. The way over a thread wakes this program once for each step, which costs ten times as much.
 */
export interface SessionFiles {
  /** Writes a session that the program can load. Resolves to the number of updates with which it repeats it. */
  write(sessionId: string, turns: readonly ToldTurn[]): Promise<number>;
  /** What has been written since the last reading or removal. Never throws. */
  read(sessionId: string): Written;
  /** Never throws. */
  remove(sessionId: string): void;
  /** Removes what is left of these sessions when the program has ended. Never rejects. */
  clear(sessionIds: readonly string[]): Promise<void>;
}

/** The values of a file of JSON lines, where they are objects. Empty where there is no file. */
export function recordsOf(path: string): Fields[] {
  return readText(path).split('\n').map(fieldsIn);
}

/** Empty where there is no file. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Empty where there is no folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Where it is there, it goes with its program.
  }
}
