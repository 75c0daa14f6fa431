import { isFields } from '../../../fields';
import type { Keep } from './parse-request';

type Fields = Record<string, unknown>;

const BEGINNINGS: ReadonlySet<unknown> = new Set(['response.created', 'response.in_progress']);
const ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** The events of a backend of the same wire: they go to the client as they are. */
export class NativeStream {
  isUsed = false;
  private hasEnded = false;
  private sequence = -1;
  private response: Fields = {};

  constructor(private readonly keep: Keep | undefined) {}

  /** `isOpen`: a long silence was broken by a beginning of ours, and clients take only one. */
  frame(event: Fields, isOpen: boolean): string {
    this.isUsed = true;
    const { type, sequence_number: number, response } = event;
    if (typeof number === 'number') this.sequence = number;
    if (isFields(response)) this.response = response;
    if (ENDS.has(type)) this.end(type);
    if (isOpen && BEGINNINGS.has(type)) return '';
    return `event: ${String(type)}\ndata: ${JSON.stringify(event)}\n\n`;
  }

  /** A response that has ended cannot fail any more. */
  fail(error: { code: string; message: string }): string {
    if (this.hasEnded) return '';
    const response = { ...this.response, status: 'failed', output: [], error };
    return this.frame({ type: 'response.failed', sequence_number: this.sequence + 1, response }, false);
  }

  keepAlive(): string {
    return `event: keepalive\ndata: {"type":"keepalive","sequence_number":${Math.max(0, this.sequence)}}\n\n`;
  }

  private end(type: unknown): void {
    this.hasEnded = true;
    const { id, output } = this.response;
    if (type === 'response.failed' || typeof id !== 'string' || !Array.isArray(output)) return;
    this.keep?.(id, output.filter(isFields), JSON.stringify(this.response));
  }
}
