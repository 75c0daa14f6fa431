import type { Subprocess } from 'drivebay/plugin';

/** A program that stays has ended before it answered a question. Where no other run takes its place, its end says why. */
export class ProgramEnded extends Error {
  constructor(readonly program: Subprocess) {
    super('it has ended');
  }
}
