import type { ChatEvent, Usage } from 'drivebay/plugin';
import { failureOf, type Outcome, type Reading, type RunReader } from '../_shared/cli/cli-run';
import type { FailureReport } from '../_shared/cli/explain-by-rules';
import { type Fields, fieldsOf, isFields, spelled, textOf } from '../_shared/fields';
import { Answer, GeminiReader } from './gemini-reader';
import { QwenReader } from './qwen-reader';
import { readRetry, RetryWatch } from './retry-watch';
import { documentUsage } from './usage';

const QWEN_EVENTS = new Set(['system', 'stream_event', 'assistant', 'user']);
/** In characters. No answer is as long. */
const DOCUMENT_LIMIT = 64 * 1024 * 1024;

/**
 * Reads what a run prints, in whatever form it comes: events, one a line, of either CLI; one object over many lines
 * (Gemini CLI); one array of events (Qwen Code). The form tells the CLIs apart, because a program of another name may be either.
 */
export class OutputReader implements RunReader {
  readonly text = new Answer();
  private readonly gemini = new GeminiReader(this.text);
  private readonly qwen: QwenReader;
  private readonly watch = new RetryWatch();
  private readonly deadline: number;
  private isLineTorn = false;
  private document: { lines: string[]; length: number } | undefined;

  /**
   * `refusesRestart`: an answer that begins anew is an error. Otherwise it is a paragraph of its own. `before`: the tokens of a
   * session that goes on, where the CLI counts them once more.
   */
  constructor({ refusesRestart, deadline, before }: { refusesRestart: boolean; deadline: number; before?: Usage }) {
    this.qwen = new QwenReader(this.text, refusesRestart, before);
    this.deadline = deadline;
  }

  get hasActed(): boolean {
    return this.text.hasActed;
  }

  end(): FailureReport | undefined {
    const isTorn = this.document !== undefined || this.isLineTorn || this.text.hasText;
    return isTorn ? { class: 'torn', text: 'the output ended in the middle of an answer' } : undefined;
  }

  read(json: unknown, line: string): Reading | undefined {
    if (this.document) {
      const reading = this.continueDocument(line);
      if (reading !== 'not a part') return reading;
    }
    if (json === undefined && /^[[{]\s*$/.test(line)) {
      this.document = { lines: [line], length: line.length };
      return { events: [] };
    }
    this.isLineTorn = json === undefined && /^\[?\{"/.test(line);
    return this.readValue(json);
  }

  readErrorLine(line: string): Reading | undefined {
    return readRetry(this.watch, line, this.text.hasText || this.hasActed, this.deadline);
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
    const isQwen = QWEN_EVENTS.has(spelled(event.type)) || (event.type === 'result' && !('status' in event));
    return isQwen ? this.qwen.read(event) : this.gemini.read(event);
  }

  private readArray(values: Fields[]): Reading {
    const last = values.findLastIndex(({ type }) => type === 'result');
    const events: ChatEvent[] = [];
    let outcome: Outcome | undefined;
    let usage: Usage | undefined;
    for (const [index, value] of values.entries()) {
      if (value.type === 'result' && index !== last) continue;
      const reading = this.readEvent(value);
      events.push(...reading.events);
      outcome = reading.outcome ?? outcome;
      usage = reading.usage ?? usage;
    }
    return { events, usage, outcome };
  }

  private readObject({ response, error, stats }: Fields): Reading {
    if (error != null) {
      const text = textOf(fieldsOf(error).message) ?? textOf(error) ?? 'an error without a message';
      return { events: [], usage: documentUsage(stats), outcome: failureOf(text) };
    }
    const events = this.text.add(textOf(response) ?? '');
    return { events, outcome: { type: 'answer', finish: 'stop', usage: documentUsage(stats) } };
  }
}
