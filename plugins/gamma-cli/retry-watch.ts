import { failureOf, type Reading } from '../_shared/cli/cli-run';

/** What a CLI says on its standard error before it tries again. */
interface RetryNotice {
  attempt: number;
  /** Why the last one failed, in the CLI's words, with its HTTP status where that is known. */
  message: string;
  /** How long it waits, where it says so. */
  waitMs: number | undefined;
}

const FAILED = /^Attempt (\d+) failed(?: with status (\d{3}))?[.:]? ?([^]*)$/;
const GOES_ON = /Retrying (?:with backoff|after (\d+)ms)[.]{0,3}/;
const GIVES_UP = /Max attempts reached/;
const QWEN_RETRY = /^Retrying in (\d+)s \(attempt (\d+)\/\d+\): ([^]*)$/;
const MAX_LINES = 5;

/** Finds the notices among the lines of the standard error. A notice may have several lines. */
export class RetryWatch {
  private lines: string[] = [];

  read(line: string): RetryNotice | undefined {
    const qwen = QWEN_RETRY.exec(line);
    if (qwen) return { attempt: Number(qwen[2]), message: qwen[3]!, waitMs: Number(qwen[1]) * 1000 };
    if (FAILED.test(line)) this.lines = [];
    else if (this.lines.length === 0) return undefined;
    this.lines.push(line);
    const text = this.lines.join('\n');
    const goesOn = GOES_ON.exec(text);
    // After the last attempt the CLI reports the failure itself.
    if (goesOn || GIVES_UP.test(text) || this.lines.length === MAX_LINES) this.lines = [];
    const [, attempt, status, words = ''] = FAILED.exec(text) ?? [];
    if (!goesOn) return undefined;
    const reason = words.replace(GOES_ON, '').trim();
    const message = status === undefined || reason.includes('{') ? reason : `[API Error: ${status} ${reason}]`;
    return {
      attempt: Number(attempt),
      message: message || 'it could not reach the model',
      waitMs: goesOn[1] === undefined ? undefined : Number(goesOn[1]),
    };
  }
}

const DEAD_NETWORK = /fetch failed|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH/;
const LONGEST_WAIT_MS = 30_000;
const ENOUGH_ATTEMPTS = 3;

/**
 * Whether waiting for more attempts is in vain: the CLI would go on for minutes. A run without any output ends at the first
 * notice, because the caller may have a better idea. A run with output goes on as long as there is hope.
 */
export function isHopeless(notice: RetryNotice, hasBegun: boolean, msLeft: number): boolean {
  const { attempt, message, waitMs = 0 } = notice;
  if (!hasBegun || DEAD_NETWORK.test(message)) return true;
  return waitMs >= LONGEST_WAIT_MS || waitMs > msLeft || attempt >= ENOUGH_ATTEMPTS;
}

/** What a line of the standard error means for a run that has begun its answer, or has not. */
export function readRetry(watch: RetryWatch, line: string, hasBegun: boolean, deadline: number): Reading | undefined {
  const notice = watch.read(line);
  if (!notice) return undefined;
  const isOver = isHopeless(notice, hasBegun, deadline - Date.now());
  return { events: [], retry: { ...notice }, outcome: isOver ? failureOf(notice.message) : undefined };
}
