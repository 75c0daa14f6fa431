import type { ChatEvent, Usage } from '../../../contract/api';
import { type Fields, mergeFields } from '../../../fields';
import type { HttpError } from '../../../serving/http-error';
import type { StreamForm } from '../../streamed-chat';
import { spellError } from './spell-error';
import { veil } from './veil';
import { type AnswerHead, callId, wireUsage } from './wire-parts';

const DONE = 'data: [DONE]\n\n';

/** Spells the events of an answer as the frames of a stream. A text costs one `JSON.stringify`. */
export class ChunkWriter implements StreamForm {
  private opening: string;
  private readonly closing: string;
  private readonly started = new Set<number>();
  /** The tool calls that have got their name. Undefined where there are none. */
  private identified: Set<string> | undefined;
  /** Fields that the next chunk of their choice takes along. */
  private readonly pending = new Map<number, { delta: Fields; choice: Fields }>();
  private response: Fields = {};
  /** What the ends of a choice's blocks of reasoning say. */
  private ends: Map<number, Fields> | undefined;
  private usage: Usage | undefined;

  constructor(
    private readonly head: AnswerHead,
    private readonly includeUsage: boolean,
  ) {
    this.opening = this.makeOpening();
    this.closing = includeUsage ? '],"usage":null}\n\n' : ']}\n\n';
  }

  frames(event: ChatEvent): string {
    switch (event.type) {
      case 'text':
        return this.chunk(event.choice ?? 0, `"content":${JSON.stringify(event.text)}`);
      case 'reasoning':
        if (event.extra) this.postpone(event.choice ?? 0, event.extra, undefined);
        return this.chunk(event.choice ?? 0, `"reasoning_content":${JSON.stringify(event.text)}`);
      case 'reasoning_end':
        if (event.extra) this.keepUntilFinish(event.choice ?? 0, event.extra);
        return '';
      case 'tool_call':
        return this.chunk(event.choice ?? 0, `"tool_calls":[${JSON.stringify(this.toolCall(event))}]`);
      case 'extra':
        if (event.response) this.addResponse(event.response);
        if (event.delta ?? event.choiceFields) this.postpone(event.choice ?? 0, event.delta, event.choiceFields);
        return '';
      case 'usage':
        this.usage = event;
        return '';
      case 'finish':
        return this.signatures(event.choice ?? 0) + this.chunk(event.choice ?? 0, '', event.reason);
      default:
        return '';
    }
  }

  veil(event: ChatEvent): ChatEvent {
    return veil(event);
  }

  leftovers(): string {
    if (this.pending.size === 0) return '';
    return [...this.pending.keys()].map((index) => this.chunk(index, '')).join('');
  }

  end(): string {
    if (!this.includeUsage) return DONE;
    return `${this.opening}],"usage":${JSON.stringify(wireUsage(this.usage))}}\n\n${DONE}`;
  }

  /** An answer that has failed gets no finish chunk. */
  fail(error: HttpError): string {
    return `data: ${JSON.stringify(spellError(error).body)}\n\n${DONE}`;
  }

  keepAlive(): string {
    return ': keep-alive\n\n';
  }

  private chunk(index: number, delta: string, reason?: string): string {
    let frames = '';
    if (!this.started.has(index)) {
      this.started.add(index);
      frames = this.frame(index, '"role":"assistant","content":""', ',"logprobs":null', undefined);
    }
    const waiting = this.pending.get(index);
    if (!waiting) return frames + this.frame(index, delta, ',"logprobs":null', reason);
    this.pending.delete(index);
    const fields = JSON.stringify(waiting.delta).slice(1, -1);
    const choice = JSON.stringify({ logprobs: null, ...waiting.choice }).slice(1, -1);
    return frames + this.frame(index, [delta, fields].filter(Boolean).join(','), `,${choice}`, reason);
  }

  private frame(index: number, delta: string, fields: string, reason: string | undefined): string {
    const finish = reason === undefined ? 'null' : `"${reason}"`;
    return `${this.opening}{"index":${index},"delta":{${delta}}${fields},"finish_reason":${finish}}${this.closing}`;
  }

  private toolCall(event: Extract<ChatEvent, { type: 'tool_call' }>): Fields {
    const { index, id, name, arguments: piece, extra } = event;
    const key = `${event.choice ?? 0}/${index}`;
    this.identified ??= new Set();
    const isFirst = !this.identified.has(key);
    this.identified.add(key);
    const call: Fields = { index };
    // Clients refuse a call whose id or name comes twice.
    if (isFirst) Object.assign(call, { id: id || callId(this.head, index), type: 'function' });
    call.function = { ...(isFirst && { name: name ?? '' }), arguments: piece ?? '' };
    return extra ? mergeFields(call, extra) : call;
  }

  /** All at once, and once: clients that keep unknown fields keep the last they saw, or join them. */
  private keepUntilFinish(index: number, fields: Fields): void {
    this.ends ??= new Map();
    this.ends.set(index, mergeFields(this.ends.get(index), fields));
  }

  private signatures(index: number): string {
    const fields = this.ends?.get(index);
    if (!fields) return '';
    this.postpone(index, fields);
    return this.chunk(index, '"reasoning_content":""');
  }

  private postpone(index: number, delta: Fields = {}, choice: Fields = {}): void {
    const waiting = this.pending.get(index);
    this.pending.set(index, {
      delta: waiting ? mergeFields(waiting.delta, delta) : delta,
      choice: waiting ? mergeFields(waiting.choice, choice) : choice,
    });
  }

  private addResponse(fields: Fields): void {
    this.response = { ...this.response, ...fields };
    this.opening = this.makeOpening();
  }

  private makeOpening(): string {
    const { id, created, model } = this.head;
    const fields = { ...this.response, id, object: 'chat.completion.chunk', created, model };
    return `data: ${JSON.stringify(fields).slice(0, -1)},"choices":[`;
  }
}
