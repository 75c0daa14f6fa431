import { type Fields, mergeFields } from '../../../fields';
import { AnswerEvents, type CallEvent, type WordsEvent } from '../../answer-events';
import { AnswerCall } from './answer-call';
import { type AnswerHead, callId } from './wire-parts';

/** The kinds of pieces that a block grows by. Each is a delta of the wire, with the field that holds its text. */
export const DELTAS = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
  compaction_delta: 'content',
} as const;

/** Takes the blocks of an answer. They are numbered from 0, and each is stopped before the next one starts. */
export interface BlockSink {
  start(index: number, block: Fields): void;
  delta(index: number, type: keyof typeof DELTAS, piece: string): void;
  stop(index: number): void;
}

/** Makes the blocks of an answer from its events. */
export class AnswerBlocks extends AnswerEvents {
  hasCall = false;
  /** How many blocks were stopped. */
  stopped = 0;
  private index = -1;
  private open: 'text' | 'thinking' | AnswerCall | undefined;
  private signature: Fields | undefined;
  /** By the index of the driver. */
  private readonly calls = new Map<number, AnswerCall>();
  /** Content that came while an unfinished call is open. */
  private waiting: (WordsEvent | CallEvent)[] = [];
  /** Signatures that came behind words or a call, without thinking of their own. */
  private late: Fields[] = [];
  private isSaid = false;

  constructor(
    private readonly head: AnswerHead,
    protected readonly sink: BlockSink,
  ) {
    super();
  }

  /** Sends an empty piece of the open block during a silence. False: no block is open. */
  nudge(): boolean {
    const { open } = this;
    if (open === undefined) return false;
    const type = open === 'text' ? 'text_delta' : open === 'thinking' ? 'thinking_delta' : 'input_json_delta';
    this.sink.delta(this.index, type, '');
    return true;
  }

  /**
   * Closes what is open, and what waits for it. Words stay the last block of an answer: programs of this wire show their
   * user nothing else, and the end of a turn needs no signature.
   */
  end(): void {
    this.close();
    while (this.waiting.length > 0) {
      this.goOn();
      this.close();
    }
    // Those that never got a name: without them the answer would seem complete. The client tells the model.
    const left = [...this.calls].filter(([, call]) => !call.isClosed);
    for (const [index, call] of left) this.openCall(call, index);
    this.close();
    if (this.hasCall) this.addLate();
  }

  /**
   * Closes what is open before an error, unless it is a call: the client would run it. It takes an error for final only
   * behind a closed block.
   */
  breakOff(): void {
    this.waiting = [];
    if (typeof this.open !== 'object') this.close();
    if (this.stopped > 0) return;
    this.sink.start(this.index + 1, { type: 'text', text: '' });
    this.sink.stop(this.index + 1);
  }

  /** Closes the open call and takes what has waited for it. Some of that may have to wait again. */
  private goOn(): void {
    this.close();
    const events = this.waiting;
    this.waiting = [];
    for (const event of events) this.add(event);
  }

  protected addWords(event: WordsEvent): void {
    if (this.mustWait(undefined)) {
      this.waiting.push(event);
      return;
    }
    const kind = event.type === 'text' ? 'text' : 'thinking';
    const text = event.type === 'reasoning_end' ? '' : event.text;
    const extra = event.type === 'text' ? undefined : event.extra;
    if (text === '' && !extra) {
      if (event.type === 'reasoning_end' && this.open === 'thinking') this.close();
      return;
    }
    if (text === '' && this.isSaid) {
      this.late.push(extra!);
      return;
    }
    if (this.open !== kind) {
      this.close();
      this.addLate();
      this.openWords(kind);
    }
    if (text !== '') this.sink.delta(this.index, kind === 'text' ? 'text_delta' : 'thinking_delta', text);
    if (extra) this.signature = mergeFields(this.signature, extra);
    if (event.type === 'reasoning_end') this.close();
  }

  private openWords(kind: 'text' | 'thinking'): void {
    this.open = kind;
    this.isSaid = kind === 'text';
    this.start(kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' });
  }

  private addLate(): void {
    for (const signature of this.late) {
      this.openWords('thinking');
      this.signature = signature;
      this.close();
    }
    this.late = [];
  }

  protected addCall(event: CallEvent): void {
    const { index, arguments: piece = '' } = event;
    let call = this.calls.get(index);
    if (!call) this.calls.set(index, (call = new AnswerCall()));
    if (call.isClosed) return;
    if (this.mustWait(call)) {
      this.waiting.push(event);
      return;
    }
    call.add(event);
    if (this.open !== call) {
      // The name may come later than the first piece.
      if (call.name !== '') this.openCall(call, index);
      return;
    }
    if (piece !== '') this.sink.delta(this.index, 'input_json_delta', piece);
    if (this.waiting.length > 0 && call.isWhole()) this.goOn();
  }

  private openCall(call: AnswerCall, index: number): void {
    this.close();
    this.addLate();
    this.open = call;
    this.isSaid = true;
    this.hasCall = true;
    const plain = call.id ?? callId(this.head, index);
    const id = call.extra ? this.pack(call.extra, plain) : plain;
    this.start({ type: 'tool_use', id, name: call.name, input: {} });
    if (call.arguments !== '') this.sink.delta(this.index, 'input_json_delta', call.arguments);
  }

  /** Whether something else than a piece of the open call has to wait for it: its arguments may come in turns with others. */
  private mustWait(call: AnswerCall | undefined): boolean {
    const { open } = this;
    return typeof open === 'object' && open !== call && !open.isWhole();
  }

  private start(block: Fields): void {
    this.index += 1;
    this.sink.start(this.index, block);
  }

  private close(): void {
    const { open, signature } = this;
    if (open === undefined) return;
    if (open === 'thinking' && signature) {
      this.sink.delta(this.index, 'signature_delta', this.pack(signature));
    }
    if (typeof open === 'object') {
      open.isClosed = true;
      if (open.arguments === '') this.sink.delta(this.index, 'input_json_delta', '{}');
    }
    this.signature = undefined;
    this.open = undefined;
    this.stopped += 1;
    this.sink.stop(this.index);
  }
}
