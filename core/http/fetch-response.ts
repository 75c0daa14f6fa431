import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import type { DriverFailure, FetchResponse as FetchResponseType } from '../contract/api';
import type { Response } from './response';

type PlatformResponse = globalThis.Response;
type Body = ReadableStream<Uint8Array>;

/** Answers that have no body, whatever their headers say. */
const BODILESS = new Set([204, 205, 304]);

/**
 * The pool's answer in the shape of the platform's `Response`. The members that every SDK uses are made here, the seldom
 * ones by the platform's own class: making one of those for each answer costs more than the request.
 */
export class FetchResponse implements FetchResponseType {
  readonly status: number;
  readonly type = 'basic';
  readonly redirected = false;
  readonly url: string;
  private headersOf: Headers | undefined;
  private stream: Body | undefined;
  private isRead = false;

  constructor(
    url: URL,
    private readonly source: Response,
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
    return this.isRead || (this.stream !== undefined && isDisturbed(this.stream));
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

  error(): Promise<DriverFailure> {
    this.take();
    return this.source.error();
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

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.platform().arrayBuffer();
  }

  blob(): Promise<Blob> {
    return this.platform().blob();
  }

  formData(): Promise<FormData> {
    return this.platform().formData();
  }

  clone(): PlatformResponse {
    const body = this.body;
    if (!body) return this.platform();
    if (this.bodyUsed) throw new TypeError('the body has been read already');
    const [own, other] = body.tee();
    this.stream = own;
    return this.platform(other);
  }

  private platform(body = this.body): PlatformResponse {
    const { status, statusText, headers } = this;
    return new globalThis.Response(body, { status, statusText, headers });
  }

  private take(): void {
    if (this.bodyUsed) throw new TypeError('the body has been read already');
    this.isRead = true;
  }
}

/**
 * Pulled only when a reader asks. No byte stream: that one would take the memory of each chunk for itself, and several
 * chunks of one network read share theirs.
 */
function toStream(source: Response): Body {
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

/** The types of Node name its older kind of stream only. */
function isDisturbed(stream: unknown): boolean {
  return Readable.isDisturbed(stream as Readable);
}
