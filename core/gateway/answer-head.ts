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

/** The id of a tool call for which the backend gave none: the client needs one to answer it. */
export function callId({ id }: AnswerHead, index: number): string {
  return `call_${id.slice(id.indexOf('-') + 1)}_${index}`;
}
