import type { ChatEvent } from '../contract/api';
import type { HttpError } from '../serving/http-error';
import { untilDrained } from '../serving/send';
import { type AnswerForm, ChatCall, noJson } from './chat-call';

/** After this much silence something is sent, so that no proxy on the way closes the connection. */
const KEEP_ALIVE_MS = 15_000;

const WRITE_AT_LENGTH = 64 * 1024;

/** Spells the events of an answer as server-sent events, in the wire of a dialect. Every text may be empty. */
export interface StreamForm extends AnswerForm {
  /** The frames of an event, as far as they can be sent yet. */
  frames(event: ChatEvent): string;
  /** The frames that were held back. Called before a write, when the driver has nothing more to say at the moment. */
  leftovers(): string;
  /** The end of a complete answer. */
  end(): string;
  /** The end of an answer that has failed. */
  fail(error: HttpError): string;
  /** Whether the end says it also of a failure before the head of the answer, in place of an HTTP error. */
  takesFailure?(error: HttpError): boolean;
  /** What is sent after a silence. It may be the first text of the answer. */
  keepAlive(): string;
}

/**
 * A chat whose answer is a stream of server-sent events. The head of the response waits for the first content, so that
 * an early failure can still be a proper error. The events of one network read leave in one write.
 */
export class StreamedChat extends ChatCall<StreamForm> {
  private buffered = '';
  private flushing = false;
  private hasBegun = false;
  private draining: Promise<void> | undefined;
  private keepAlive: NodeJS.Timeout | undefined;

  takesFailure(error: HttpError): boolean {
    return this.hasBegun && (this.form.takesFailure?.(error) ?? false);
  }

  /** The text so far is sent, too. */
  fail(error: HttpError): void {
    this.commit();
    this.context.response.end(this.buffered + this.form.fail(error));
  }

  protected override begin(): void {
    super.begin();
    this.hasBegun = true;
    this.keepAlive = setInterval(() => this.breakSilence(), KEEP_ALIVE_MS);
  }

  protected override stop(): void {
    clearInterval(this.keepAlive);
  }

  protected readonly emit = (event: ChatEvent): Promise<void> | undefined => {
    if (event.type === 'meta') this.note(event);
    this.buffered += this.form.frames(event);
    if (event.type === 'text' || event.type === 'reasoning' || event.type === 'tool_call') this.commit();
    if (!this.context.response.headersSent) return undefined;
    if (this.buffered.length > WRITE_AT_LENGTH) {
      // A driver that never waits would keep the next tick from running.
      this.flush();
    } else if (!this.flushing) {
      this.flushing = true;
      // Promise callbacks run first, so this runs when the driver has used up the data that it read.
      process.nextTick(this.flush);
    }
    return this.draining;
  };

  protected end(): undefined {
    this.commit();
    this.context.response.end(this.buffered + this.form.leftovers() + this.form.end());
    this.buffered = '';
  }

  private readonly flush = (): void => {
    this.flushing = false;
    const { response, caller } = this.context;
    let frames: string;
    try {
      frames = this.buffered + this.form.leftovers();
    } catch (error) {
      // Nobody waits for this work: thrown from here, an error would end the program.
      caller.abort.abort(noJson(error));
      return;
    }
    if (frames === '' || response.writableEnded || response.destroyed) return;
    this.buffered = '';
    this.keepAlive?.refresh();
    if (!response.write(frames)) this.draining = this.untilRead();
  };

  private async untilRead(): Promise<void> {
    await untilDrained(this.context.response);
    this.draining = undefined;
  }

  private commit(): void {
    const { response } = this.context;
    if (response.headersSent) return;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      ...this.headers(),
    });
  }

  private breakSilence(): void {
    const { response } = this.context;
    if (response.writableNeedDrain) return;
    this.commit();
    response.write(this.buffered + this.form.keepAlive());
    this.buffered = '';
  }
}
