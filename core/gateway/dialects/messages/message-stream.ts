import type { ChatEvent } from '../../../contract/api';
import type { HttpError } from '../../../serving/http-error';
import type { StreamForm } from '../../streamed-chat';
import { DELTAS } from './answer-blocks';
import { frame, type WireEvent } from './wire-parts';
import { MessageForm } from './message-form';
import { NativeStream } from './native-stream';
import { spellError } from './spell-error';

/** Programs of this wire count neither pings nor comments: after this many silences they get something that they count. */
const COUNTED_EVERY = 4;

const PING = frame({ type: 'ping' });
const STILL_HERE = frame({
  type: 'message_delta',
  delta: { stop_reason: null, stop_sequence: null },
  usage: { output_tokens: 0 },
});

/** Spells the events of an answer as the frames of a stream. A text costs one `JSON.stringify`. */
export class MessageStream extends MessageForm implements StreamForm {
  protected native: NativeStream | undefined;
  private out = '';
  private hasStarted = false;
  private silences = 0;

  frames(event: ChatEvent): string {
    if (event.type === 'native') {
      // A ping of the backend is a silence like ours: alone, it would not keep the program.
      if (event.value.type === 'ping') return this.native || this.hasStarted ? this.keepAlive() : '';
      this.native ??= new NativeStream(this.hasStarted, this.name);
      this.silences = 0;
      return this.native.frames(event.value);
    }
    if (!this.native) this.blocks.add(event);
    return this.take();
  }

  leftovers(): string {
    return '';
  }

  end(): string {
    if (this.native) return '';
    this.open();
    this.write({ type: 'message_delta', ...this.ending() });
    this.write({ type: 'message_stop' });
    return this.take();
  }

  /** An answer that has failed has no `message_stop`. */
  fail(error: HttpError): string {
    const { body } = spellError(error, this.requestId);
    if (this.native) return this.native.breakOff() + frame({ type: 'error', ...body });
    this.open();
    this.blocks.breakOff();
    this.write({ type: 'error', ...body });
    return this.take();
  }

  keepAlive(): string {
    this.silences += 1;
    const counts = this.silences % COUNTED_EVERY === 0;
    if (this.native) return PING + (counts ? (this.native.nudge() ?? STILL_HERE) : '');
    this.open();
    if (counts && !this.blocks.nudge()) this.out += STILL_HERE;
    return this.take(PING);
  }

  start(index: number, block: Record<string, unknown>): void {
    this.open();
    this.write({ type: 'content_block_start', index, content_block: block });
  }

  delta(index: number, type: keyof typeof DELTAS, piece: string): void {
    const text = JSON.stringify(piece);
    this.out += `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"${type}","${DELTAS[type]}":${text}}}\n\n`;
  }

  stop(index: number): void {
    this.out += `event: content_block_stop\ndata: {"type":"content_block_stop","index":${index}}\n\n`;
  }

  private open(): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    this.write({ type: 'message_start', message: this.beginning() });
  }

  private write(event: WireEvent): void {
    this.out += frame(event);
  }

  private take(more = ''): string {
    const { out } = this;
    if (out === '') return more;
    this.out = '';
    if (more === '') this.silences = 0;
    return out + more;
  }
}
