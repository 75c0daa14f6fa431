import type { ErrorAdvice, HttpResponse } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import { LineSplitter } from '../contract/line-splitter';
import { decodeBody } from './decode-body';
import { readErrorAnswer, readStart } from './error-answer';
import { isHtml } from './error-message';
import { explainFailure } from './failure';
import type { Head, HttpExchange } from './http-exchange';
import { jsonValues } from './json-values';
import { type BodyParser, type ByteSource, ParsedBody, UNPARSED } from './parsed-body';
import { SseParser } from './sse';

const TEXT_LIMIT_BYTES = 64 * 1024 * 1024;
const QUOTE_LENGTH = 200;

/** The answer to one request. Its body is read once, by one of the methods. */
export class HttpAnswer implements HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  private readonly body: ByteSource;

  constructor(
    private readonly url: URL,
    private readonly head: Head,
    private readonly exchange: HttpExchange,
  ) {
    this.status = head.status;
    this.headers = head.headers;
    this.body = decodeBody(exchange, head.headers['content-encoding']?.trim().toLowerCase());
  }

  async text(limitBytes = TEXT_LIMIT_BYTES): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (let batch = await this.body.take(); batch; batch = await this.body.take()) {
      for (const chunk of batch) {
        chunks.push(chunk);
        size += chunk.length;
      }
      if (size <= limitBytes) continue;
      this.discard();
      throw new DriverError('protocol', `the answer of ${this.url.host} is larger than ${limitBytes} bytes`);
    }
    const text = Buffer.concat(chunks, size).toString('utf8');
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  }

  async json(): Promise<unknown> {
    const text = await this.text();
    try {
      return JSON.parse(text);
    } catch (error) {
      const hint = isHtml(text) ? 'check base_url: it leads to a web page' : undefined;
      throw new DriverError('protocol', this.describeOther(text), { status: this.status, cause: error, hint });
    }
  }

  events(): AsyncIterable<string> {
    return this.parsed(new SseParser());
  }

  lines(): AsyncIterable<string> {
    return this.parsed(new LineSplitter());
  }

  jsonLines(): AsyncIterable<unknown> {
    return jsonValues(this.parsed(new LineSplitter()), (line, cause) => {
      const message = `${this.url.host} sent a line that is not JSON: ${quote(line)}`;
      return new DriverError('protocol', message, { status: this.status, cause });
    });
  }

  bytes(): AsyncIterable<Uint8Array> {
    return this.parsed(UNPARSED);
  }

  error(advice?: ErrorAdvice): Promise<DriverError> {
    return readErrorAnswer(this.url, this.head, this.body, advice);
  }

  /** The beginning of an error answer. An endless one must not hold its reader. */
  errorText(): Promise<string> {
    return readStart(this.body);
  }

  discard(): void {
    this.exchange.discard();
  }

  private parsed<Item>(parser: BodyParser<Item>): ParsedBody<Item> {
    return new ParsedBody(this.body, parser, (error) => explainFailure(this.url, error, 'body'));
  }

  private describeOther(text: string): string {
    const { host } = this.url;
    const beginning = quote(text);
    if (beginning === '') return `${host} answered ${this.status} with an empty body`;
    return `${host} answered with ${isHtml(text) ? 'HTML' : 'something'} instead of JSON: ${beginning}`;
  }
}

/** The beginning of a text, as one line. */
function quote(text: string): string {
  const line = text.slice(0, QUOTE_LENGTH * 4).replace(/\s+/g, ' ');
  return line.trim().slice(0, QUOTE_LENGTH);
}
