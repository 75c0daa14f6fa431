import type { IncomingHttpHeaders } from 'node:http';
import type { ChatRequest } from '../../../contract/api';
import { isFields } from '../../../fields';
import type { Carriers } from '../../carriers';
import type { CountForm } from '../../count-call';
import { readJson } from '../../read-fields';
import { estimateTokens } from './estimate';
import { parseRequest } from './parse-request';

/**
 * A count of this wire. It never fails: for each count that it does not get, a program asks a model instead, which costs
 * money.
 */
export class MessageCount implements CountForm {
  readonly model: string;
  private readonly body: Record<string, unknown>;

  constructor(
    private readonly bytes: Buffer,
    private readonly headers: IncomingHttpHeaders,
    private readonly carriers: Carriers,
  ) {
    const value = readJson(bytes);
    this.body = isFields(value) ? value : {};
    this.model = typeof this.body.model === 'string' ? this.body.model : '';
  }

  readChat(): ChatRequest | undefined {
    try {
      return parseRequest(this.bytes, this.headers, this.carriers, true).chat;
    } catch {
      return undefined;
    }
  }

  estimate(): number {
    return estimateTokens(this.body);
  }

  toBody(tokens: number): object {
    return { input_tokens: tokens };
  }
}
