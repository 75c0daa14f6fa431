import type { Logger } from '../contract/api';
import { awayReason } from './away-reason';

/** A server that is just too slow comes and goes all the time: it is told so often at most. */
const QUIET_MS = 60_000;
/** A start may take so long until it is told that the server cannot be reached. */
const START_MS = 3_000;

interface NoticeParts {
  isRequired: boolean;
  log: Logger;
  redact: (text: string) => string;
}

/** Tells the log once that the server is away, and once that it is back. */
export class AwayNotice {
  private hasWarned = false;
  private quietUntil = performance.now() + START_MS;

  constructor(private readonly parts: NoticeParts) {}

  lost(error: unknown): void {
    // A connection takes a moment to be made, and requests do not wait for it.
    if (!this.hasWarned && performance.now() >= this.quietUntil) this.tell(awayReason(error));
  }

  /** Warns at once, of a reason that does not go away by itself. */
  tell(reason: string): void {
    this.hasWarned = true;
    this.quietUntil = performance.now() + QUIET_MS;
    const { log, redact, isRequired } = this.parts;
    const result = isRequired ? 'requests under a limit are refused' : 'this machine counts alone until then';
    log.warn(`the shared state cannot be reached: ${redact(reason)}; ${result}`);
  }

  regained(): void {
    if (this.hasWarned) this.parts.log.info('the shared state is reached again');
    this.hasWarned = false;
  }
}
