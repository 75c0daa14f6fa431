/** What every piece of one answer repeats. */
export interface AnswerHead {
  /** `chatcmpl-` and digits. */
  id: string;
  /** Unix time in seconds. */
  created: number;
  /** The model string that was requested. */
  model: string;
}

let counter = 0;

/** Unique across restarts: the millisecond of the request, and a counter within it. */
export function answerHead(model: string, now: number): AnswerHead {
  counter = (counter + 1) % 1_000_000;
  return { id: `chatcmpl-${now}${String(counter).padStart(6, '0')}`, created: Math.floor(now / 1000), model };
}
