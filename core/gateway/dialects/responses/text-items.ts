import type { CarriedState } from '../../../contract/carried';
import { type Fields, mergeFields } from '../../../fields';
import type { EventSink } from './event-sink';

export type PartKind = 'output_text' | 'refusal';

/** Where an item is in the answer. */
export interface ItemPlace {
  id: string;
  index: number;
}

/** A message of the assistant, as it grows. A refusal is a part of its own: SDKs take a text for what was asked for. */
export class MessageItem {
  private readonly parts: Fields[] = [];
  private kind: PartKind | undefined;
  private text = '';
  private place = '';

  constructor(
    private readonly at: ItemPlace,
    private readonly sink: EventSink,
  ) {
    sink.write('response.output_item.added', { output_index: at.index, item: this.toWire('in_progress') });
  }

  add(kind: PartKind, text: string): void {
    if (this.kind !== kind) this.openPart(kind);
    this.text += text;
    this.sink.piece(`response.${kind}.delta`, this.place, text);
  }

  close(isCut: boolean): Fields {
    this.closePart();
    const item = this.toWire(isCut ? 'incomplete' : 'completed');
    this.sink.write('response.output_item.done', { output_index: this.at.index, item });
    return item;
  }

  private openPart(kind: PartKind): void {
    this.closePart();
    this.kind = kind;
    const place = this.partPlace();
    this.sink.write('response.content_part.added', { ...place, part: toPart(kind, '') });
    this.place = JSON.stringify({ ...place, ...logprobsOf(kind) }).slice(1, -1);
  }

  private closePart(): void {
    const { kind, text, sink } = this;
    if (kind === undefined) return;
    const place = this.partPlace();
    const part = toPart(kind, text);
    sink.write(`response.${kind}.done`, { ...place, ...said(kind, text), ...logprobsOf(kind) });
    sink.write('response.content_part.done', { ...place, part });
    this.parts.push(part);
    this.kind = undefined;
    this.text = '';
  }

  private partPlace() {
    return { item_id: this.at.id, output_index: this.at.index, content_index: this.parts.length };
  }

  private toWire(status: string): Fields {
    return { type: 'message', id: this.at.id, role: 'assistant', status, content: [...this.parts] };
  }
}

/** Reasoning, as it grows. Clients show a summary, and hide text that is called reasoning. */
export class ReasoningItem {
  private text = '';
  private extra: Fields | undefined;
  private readonly place: string;

  constructor(
    private readonly at: ItemPlace,
    private readonly sink: EventSink,
    private readonly pack: (extra: CarriedState['extra']) => string,
  ) {
    const { id, index: output_index } = at;
    sink.write('response.output_item.added', { output_index, item: { type: 'reasoning', id, summary: [] } });
    this.place = `"item_id":"${id}","output_index":${output_index},"summary_index":0`;
  }

  add(text: string, extra: Fields | undefined): void {
    if (extra) this.extra = mergeFields(this.extra, extra);
    if (text === '') return;
    if (this.text === '') this.writePart('added', summaryPart(''));
    this.text += text;
    this.sink.piece('response.reasoning_summary_text.delta', this.place, text);
  }

  close(): Fields {
    const { text, extra, sink } = this;
    const { id, index: output_index } = this.at;
    const summary = text === '' ? [] : [summaryPart(text)];
    const item = { type: 'reasoning', id, summary, encrypted_content: extra ? this.pack(extra) : null };
    if (text !== '') {
      const place = { item_id: id, output_index, summary_index: 0 };
      sink.write('response.reasoning_summary_text.done', { ...place, text });
      this.writePart('done', summaryPart(text));
    }
    sink.write('response.output_item.done', { output_index, item });
    return item;
  }

  private writePart(end: 'added' | 'done', part: Fields): void {
    const { id: item_id, index: output_index } = this.at;
    this.sink.write(`response.reasoning_summary_part.${end}`, { item_id, output_index, summary_index: 0, part });
  }
}

function toPart(kind: PartKind, text: string): Fields {
  const part = { type: kind, ...said(kind, text) };
  return kind === 'refusal' ? part : { ...part, annotations: [], ...logprobsOf(kind) };
}

function said(kind: PartKind, text: string): Fields {
  return kind === 'refusal' ? { refusal: text } : { text };
}

function logprobsOf(kind: PartKind): Fields {
  return kind === 'refusal' ? {} : { logprobs: [] };
}

function summaryPart(text: string): Fields {
  return { type: 'summary_text', text };
}
