import type { CarriedState } from '../../../contract/carried';
import { mergeFields } from '../../../fields';
import type { EventSink } from './event-sink';

type Fields = Record<string, unknown>;

/** Where an item is in the answer. */
export interface ItemPlace {
  id: string;
  index: number;
}

/** A message of the assistant, as it grows. */
export class MessageItem {
  private text = '';
  private readonly place: string;

  constructor(
    private readonly at: ItemPlace,
    private readonly sink: EventSink,
  ) {
    const { id: item_id, index: output_index } = at;
    sink.write('response.output_item.added', { output_index, item: this.toWire('in_progress', []) });
    sink.write('response.content_part.added', { item_id, output_index, content_index: 0, part: textPart('') });
    this.place = `"item_id":"${item_id}","output_index":${output_index},"content_index":0,"logprobs":[]`;
  }

  add(text: string): void {
    this.text += text;
    this.sink.piece('response.output_text.delta', this.place, text);
  }

  close(isCut: boolean): Fields {
    const { text, sink } = this;
    const { id: item_id, index: output_index } = this.at;
    const part = textPart(text);
    const item = this.toWire(isCut ? 'incomplete' : 'completed', [part]);
    sink.write('response.output_text.done', { item_id, output_index, content_index: 0, text, logprobs: [] });
    sink.write('response.content_part.done', { item_id, output_index, content_index: 0, part });
    sink.write('response.output_item.done', { output_index, item });
    return item;
  }

  private toWire(status: string, content: Fields[]): Fields {
    return { type: 'message', id: this.at.id, role: 'assistant', status, content };
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

function textPart(text: string): Fields {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function summaryPart(text: string): Fields {
  return { type: 'summary_text', text };
}
