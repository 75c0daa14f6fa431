import { fieldsOf, numberOf, textOf, type Fields } from '../../_shared/fields';

/** The program has no login, or one that it cannot use. */
const LOGIN = -32000;
/** Refusals that are about the talk with the program, not about the chat: a run of its own may answer. */
const OF_THE_TALK = [-32700, -32600, -32601, -32602, LOGIN];
const STALE = /updated in the background|session not found|not currently generating/i;

/** What a program answers to a request that it cannot serve. */
export class AcpError extends Error {
  readonly code: number;

  constructor({ code, message, data }: Fields) {
    super(textOf(fieldsOf(data).details) ?? textOf(message) ?? 'it refused without a reason');
    this.code = numberOf(code) ?? 0;
  }

  /** Whether the chat itself was not even tried. */
  get isOfTheTalk(): boolean {
    return OF_THE_TALK.includes(this.code) || STALE.test(this.message);
  }

  get isOfTheLogin(): boolean {
    return this.code === LOGIN;
  }

  /** The HTTP status, where the program says it. */
  get status(): number | undefined {
    return this.code >= 400 && this.code <= 599 ? this.code : undefined;
  }
}
