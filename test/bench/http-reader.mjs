const LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;

/**
 * Reads HTTP/1.1 messages, requests and responses alike, from latin1 text: just as much of the protocol as the
 * two ends of the bench use. node:http would cost these ends more than the gateway between them may use.
 * The handler gets `head(text)`, then `body(text)` any number of times, then `end()`.
 */
export class HttpReader {
  #handler;
  #rest = '';
  #part = 'head';
  #remaining = 0;

  constructor(handler) {
    this.#handler = handler;
  }

  push(text) {
    this.#rest = this.#rest === '' ? text : this.#rest + text;
    while (this.#rest !== '' && this.#step());
  }

  /** Consumes one part of a message and says whether it was there in full, so that the next one may be tried. */
  #step() {
    switch (this.#part) {
      case 'head':
        return this.#readHead();
      case 'fixed':
        if (this.#takeBody()) this.#finish();
        return true;
      case 'size':
        return this.#readSize();
      case 'chunk':
        if (this.#takeBody()) this.#part = 'separator';
        return true;
      default:
        return this.#readLineEnd();
    }
  }

  #readHead() {
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const head = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end + 4);
    this.#handler.head(head);
    if (CHUNKED.test(head)) {
      this.#part = 'size';
      return true;
    }
    this.#remaining = Number(LENGTH.exec(head)?.[1] ?? 0);
    if (this.#remaining > 0) this.#part = 'fixed';
    else this.#finish();
    return true;
  }

  #readSize() {
    const end = this.#rest.indexOf('\r\n');
    if (end < 0) return false;
    this.#remaining = Number.parseInt(this.#rest, 16);
    this.#rest = this.#rest.slice(end + 2);
    this.#part = this.#remaining > 0 ? 'chunk' : 'last';
    return true;
  }

  #readLineEnd() {
    if (this.#rest.length < 2) return false;
    this.#rest = this.#rest.slice(2);
    if (this.#part === 'last') this.#finish();
    else this.#part = 'size';
    return true;
  }

  /** Hands on what is there of the current body or chunk and says whether that was its end. */
  #takeBody() {
    const piece = this.#rest.length > this.#remaining ? this.#rest.slice(0, this.#remaining) : this.#rest;
    this.#remaining -= piece.length;
    this.#rest = this.#rest.slice(piece.length);
    this.#handler.body(piece);
    return this.#remaining === 0;
  }

  #finish() {
    this.#part = 'head';
    this.#handler.end();
  }
}
