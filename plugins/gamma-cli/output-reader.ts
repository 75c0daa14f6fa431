import type { ChatEvent, JsonLine } from 'drivebay/plugin';
import { type Fields, isFields, textOf } from '../_shared/fields';
import { AnswerText } from './answer-text';
import { GeminiReader } from './gemini-reader';
import type { Outcome, Reading } from './outcome';
import { QwenReader } from './qwen-reader';
import { documentUsage } from './usage';

const QWEN_EVENTS = new Set(['system', 'stream_event', 'assistant', 'user']);
/** In characters. More is no answer that anybody has asked for. */
const DOCUMENT_LIMIT = 64 * 1024 * 1024;

/**
 * Reads what a run prints, in whatever form it comes: events, one a line, of either CLI; one object over many lines
 * (Gemini CLI); one array of events (Qwen Code). Whatever else stands between them is passed over.
 */
export class OutputReader {
  readonly text = new AnswerText();
  private readonly gemini = new GeminiReader(this.text);
  private readonly qwen: QwenReader;
  private isLineTorn = false;
  private document: { lines: string[]; length: number } | undefined;

  /** `refusesRestart`: whether an answer that begins anew is an error, or a paragraph of its own. */
  constructor({ refusesRestart }: { refusesRestart: boolean }) {
    this.qwen = new QwenReader(this.text, refusesRestart);
  }

  /** Whether the output, if this was all of it, ended within an answer. */
  get isTorn(): boolean {
    return this.document !== undefined || this.isLineTorn || this.text.hasText;
  }

  /** Undefined for what is no part of an answer. */
  read({ text, json }: JsonLine): Reading | undefined {
    if (this.document) {
      const reading = this.continueDocument(text);
      if (reading !== 'not a part') return reading;
    }
    if (json === undefined && /^[[{]\s*$/.test(text)) {
      this.document = { lines: [text], length: text.length };
      return { events: [] };
    }
    this.isLineTorn = json === undefined && /^\[?\{"/.test(text);
    return this.readValue(json);
  }

  private continueDocument(text: string): Reading | undefined | 'not a part' {
    const document = this.document!;
    const isEnd = /^[\]}]\s*$/.test(text);
    document.length += text.length;
    if ((!isEnd && /^\S/.test(text)) || document.length > DOCUMENT_LIMIT) {
      this.document = undefined;
      return 'not a part';
    }
    document.lines.push(text);
    if (!isEnd) return { events: [] };
    this.document = undefined;
    try {
      return this.readValue(JSON.parse(document.lines.join('\n')));
    } catch {
      return undefined;
    }
  }

  private readValue(value: unknown): Reading | undefined {
    if (Array.isArray(value)) return this.readArray(value.filter(isFields));
    if (!isFields(value)) return undefined;
    if (typeof value.type === 'string') return this.readEvent(value);
    return 'response' in value || 'error' in value ? this.readObject(value) : undefined;
  }

  private readEvent(event: Fields): Reading {
    const isQwen = QWEN_EVENTS.has(String(event.type)) || (event.type === 'result' && !('status' in event));
    return isQwen ? this.qwen.read(event) : this.gemini.read(event);
  }

  /** The last result counts. */
  private readArray(values: Fields[]): Reading {
    const last = values.findLastIndex(({ type }) => type === 'result');
    const events: ChatEvent[] = [];
    let outcome: Outcome | undefined;
    for (const [index, value] of values.entries()) {
      if (value.type === 'result' && index !== last) continue;
      const reading = this.readEvent(value);
      events.push(...reading.events);
      outcome = reading.outcome ?? outcome;
    }
    return { events, ...(outcome && { outcome }) };
  }

  private readObject({ response, error, stats }: Fields): Reading {
    if (error != null) {
      const message = (isFields(error) ? textOf(error.message) : textOf(error)) ?? 'an error without a message';
      return { events: [], outcome: { type: 'failure', message } };
    }
    const events = this.text.add(textOf(response) ?? '');
    return { events, outcome: { type: 'answer', finish: 'stop', usage: documentUsage(stats) } };
  }
}
