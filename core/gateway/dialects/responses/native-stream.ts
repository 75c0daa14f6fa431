import { type Fields, isFields } from '../../../fields';
import { errorEvent } from './judge-failure';
import type { Keep } from './parse-request';
import type { ResponseHead } from './response-head';

const BEGINNINGS: ReadonlySet<unknown> = new Set(['response.created', 'response.in_progress']);
const ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** The events of a backend of the same wire: they go to the client as they are, under the id of our response. */
export class NativeStream {
  private hasEnded = false;
  private sequence = -1;
  /** Between the numbers of the backend and those of the client, who has got a beginning of ours. */
  private shift: number | undefined;
  private response: Fields = {};

  constructor(
    private readonly head: ResponseHead,
    private readonly keep: Keep | undefined,
  ) {}

  /** `begun`: how many events of ours broke a long silence. Clients take only one beginning. */
  frame(event: Fields, begun: number): string {
    const { type, sequence_number: number, response } = event;
    if (typeof type !== 'string') return '';
    if (isFields(response)) this.response = this.head.claim(response);
    if (ENDS.has(type)) this.end(type);
    if (begun > 0 && BEGINNINGS.has(type)) return '';
    if (typeof number === 'number') {
      this.shift ??= Math.max(0, begun - number);
      this.sequence = number + this.shift;
    }
    let told = event;
    if (isFields(response)) told = { ...told, response: this.response };
    if (this.shift) told = { ...told, sequence_number: this.sequence };
    return `event: ${type}\ndata: ${JSON.stringify(told)}\n\n`;
  }

  /** A response that has ended cannot fail any more. */
  fail(error: { code: string; message: string }): string {
    if (this.hasEnded) return '';
    const response = { ...this.response, status: 'failed', output: [], error };
    return this.own({ type: 'error', ...errorEvent(error) }) + this.own({ type: 'response.failed', response });
  }

  keepAlive(): string {
    return `event: keepalive\ndata: {"type":"keepalive","sequence_number":${Math.max(0, this.sequence)}}\n\n`;
  }

  /** An event of ours behind those of the backend. */
  private own(event: Fields): string {
    return this.frame({ ...event, sequence_number: this.sequence + 1 - (this.shift ?? 0) }, 0);
  }

  private end(type: string): void {
    this.hasEnded = true;
    const { output } = this.response;
    if (type === 'response.failed' || !Array.isArray(output)) return;
    this.keep?.(output.filter(isFields), JSON.stringify(this.response));
  }
}
