import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import type { DriverFailure, ErrorAdvice, FetchResponse } from '../contract/api';
import type { HttpAnswer } from './http-answer';

type Body = ReadableStream<Uint8Array>;

/** Answers that have no body, whatever their headers say. */
const BODILESS = new Set([204, 205, 304]);

/**
 * The pool's answer in the shape of the platform's `Response`. Members that every SDK uses are here. The platform's own
 * class makes the rare ones: an object of that class for each answer would cost more than the request.
 */
export class FetchAnswer implements FetchResponse {
  readonly status: number;
  readonly type = 'basic';
  readonly redirected = false;
  readonly url: string;
  private headersOf: Headers | undefined;
  private stream: Body | undefined;
  private isRead = false;

  constructor(
    url: URL,
    private readonly source: HttpAnswer,
  ) {
    this.status = source.status;
    this.url = url.href;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get statusText(): string {
    return STATUS_CODES[this.status] ?? '';
  }

  get headers(): Headers {
    this.headersOf ??= new Headers(this.source.headers);
    return this.headersOf;
  }

  get bodyUsed(): boolean {
    return this.isRead || (this.stream !== undefined && Readable.isDisturbed(this.stream as unknown as Readable));
  }

  get body(): Body | null {
    if (BODILESS.has(this.status)) return null;
    this.stream ??= this.isRead ? new ReadableStream<Uint8Array>() : toStream(this.source);
    return this.stream;
  }

  events(): AsyncIterable<string> {
    this.take();
    return this.source.events();
  }

  error(advice?: ErrorAdvice): Promise<DriverFailure> {
    this.take();
    return this.source.error(advice);
  }

  discard(): void {
    this.isRead = true;
    this.source.discard();
  }

  async text(): Promise<string> {
    if (this.stream) return this.platform().text();
    this.take();
    return this.ok ? this.source.text() : this.source.errorText();
  }

  async json(): Promise<unknown> {
    if (this.stream) return this.platform().json();
    this.take();
    return this.ok ? this.source.json() : (JSON.parse(await this.source.errorText()) as unknown);
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.platform().arrayBuffer();
  }

  async blob(): Promise<Blob> {
    return this.platform().blob();
  }

  async formData(): Promise<FormData> {
    return this.platform().formData();
  }

  clone(): Response {
    const whole = this.platform();
    const copy = whole.clone();
    this.stream = whole.body ?? undefined;
    return copy;
  }

  private platform(): Response {
    this.checkUnread();
    const { status, statusText, headers } = this;
    return new Response(this.body, { status, statusText, headers });
  }

  private take(): void {
    this.checkUnread();
    this.isRead = true;
  }

  private checkUnread(): void {
    if (this.bodyUsed) throw new TypeError('the body has been read already');
  }
}

/**
 * Pulled only when a reader asks. Not a byte stream: that would take the memory of each chunk for itself, but several
 * chunks of one network read share their memory.
 */
function toStream(source: HttpAnswer): Body {
  const pieces = source.bytes()[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await pieces.next();
        if (piece.done) controller.close();
        else controller.enqueue(piece.value);
      },
      cancel: () => source.discard(),
    },
    { highWaterMark: 0 },
  );
}
