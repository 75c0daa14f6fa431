import type { ChatEvent } from 'drivebay/plugin';
import { toolActivity } from '../_shared/cli/tool-activity';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '../_shared/fields';
import { AnswerText } from './answer-text';
import { errorTail } from './error-tail';
import type { Reading } from './outcome';
import { Segment } from './segment';
import { readUsage } from './usage';

const NOTHING: Reading = { events: [] };
/** The CLI goes on for minutes; a connection that comes back at all comes back at once. */
const MOST_RECONNECTS = 3;

/** Reads the events of one run (`--output-format stream-json`), with and without partial output. */
export class EventReader {
  /** Where the CLI says that its key is from. */
  keySource: string | undefined;
  /** Whether a tool has been at work. */
  hasActed = false;
  /** An error that was said before the end, or instead of it. */
  lastError: string | undefined;
  private readonly answer = new AnswerText();
  private readonly segment = new Segment();
  /** The error that the text so far ends with. */
  private tailError: string | undefined;
  private mayRestart = false;
  private reconnects = 0;
  private thoughts: 'none' | 'open' | 'complete' = 'none';

  /** `refusesRestart`: whether a second beginning is a failure; otherwise it follows as a paragraph of its own. */
  constructor(private readonly refusesRestart: boolean) {}

  get hasText(): boolean {
    return this.answer.hasText;
  }

  read(line: unknown): Reading {
    if (!isFields(line)) return NOTHING;
    // What a subagent says is said to the agent that started it.
    if (line.parent_tool_call_id != null || line.parent_tool_use_id != null) return NOTHING;
    switch (line.type) {
      case 'assistant':
        return this.readText(line);
      case 'thinking':
        return this.readThought(line);
      case 'tool_call':
        return this.readTool(line);
      case 'result':
        return this.readResult(line);
      case 'connection':
      case 'retry':
        return this.readRetry(line);
      case 'error':
        this.lastError = textOf(line.message) ?? textOf(fieldsOf(line.error).message) ?? this.lastError;
        return NOTHING;
      case 'system': {
        if (line.subtype !== 'init') return NOTHING;
        this.keySource = textOf(line.apiKeySource);
        const model = textOf(line.model);
        return model === undefined ? NOTHING : { events: [{ type: 'meta', model }] };
      }
      default:
        return NOTHING;
    }
  }

  private readText(line: Fields): Reading {
    const parts = listOf(fieldsOf(line.message).content).map(fieldsOf);
    const text = parts.map((part) => (part.type === 'text' ? (textOf(part.text) ?? '') : '')).join('');
    if (text === '') return NOTHING;
    const callId = textOf(line.model_call_id);
    const isPiece = line.timestamp_ms !== undefined && callId === undefined;
    const isRestart = isPiece && this.mayRestart;
    if (isPiece) this.mayRestart = false;
    if (isRestart && this.refusesRestart) return { events: [], outcome: { type: 'restarted' } };
    const before = isRestart ? this.endParagraph() : [];
    const events = before;
    if (this.segment.take({ isPiece, callId })) {
      this.reconnects = 0;
      this.tailError = undefined;
      events.push(...this.answer.add(text));
    }
    // The whole of a text is its end.
    if (!isPiece) events.push(...this.endParagraph());
    return { events };
  }

  private readThought(line: Fields): Reading {
    if (line.subtype === 'completed' && this.thoughts === 'open') this.thoughts = 'complete';
    const text = textOf(line.text);
    if (line.subtype !== 'delta' || text === undefined) return NOTHING;
    const separated = this.thoughts === 'complete' ? `\n\n${text}` : text;
    this.thoughts = 'open';
    return { events: [{ type: 'reasoning', text: separated }] };
  }

  private readTool(line: Fields): Reading {
    const [[name, call] = ['unknown', {}]] = Object.entries(fieldsOf(line.tool_call));
    const tool = name.replace(/ToolCall$/, '');
    const note = { tool, stage: textOf(line.subtype) ?? '' };
    this.hasActed = true;
    if (line.subtype === 'completed') return { events: [], note };
    this.segment.end(textOf(line.model_call_id));
    return { events: [...this.endParagraph(), toolActivity(tool, fieldsOf(call).args)], note };
  }

  private readRetry(line: Fields): Reading {
    const note = { event: line.type, stage: textOf(line.subtype) ?? '' };
    if (line.type === 'retry' && line.is_resume !== true) this.mayRestart ||= this.segment.hasPieces;
    if (line.subtype === 'reconnected') this.reconnects = 0;
    if (line.subtype !== 'reconnecting') return { events: [], note };
    this.reconnects += 1;
    if (this.reconnects < MOST_RECONNECTS) return { events: [], note };
    const place = textOf(line.endpoint_url);
    const message = `Connection lost, not restored after ${this.reconnects} attempts${place ? ` (${place})` : ''}`;
    return { events: [], note, outcome: { type: 'failure', message, isEarly: true } };
  }

  private readResult(line: Fields): Reading {
    const whole = textOf(line.result) ?? '';
    const subtype = textOf(line.subtype) ?? 'success';
    if (line.is_error === true || subtype !== 'success') {
      const words = [whole, textOf(fieldsOf(line.error).message), textOf(line.error), this.lastError];
      const message = words.find((text) => text?.trim()) ?? `the run ended with ${subtype}`;
      return { events: [], outcome: { type: 'failure', message, isEarly: false } };
    }
    const missing = errorTail(whole) === undefined ? this.answer.complete(whole) : [];
    const { events, error = errorTail(whole) ?? this.tailError } = this.answer.close();
    if (error !== undefined) return { events: [], outcome: { type: 'failure', message: error, isEarly: false } };
    return { events: [...missing, ...events], outcome: { type: 'answer', usage: readUsage(line) } };
  }

  private endParagraph(): ChatEvent[] {
    const { events, error } = this.answer.close();
    this.tailError = error ?? this.tailError;
    this.lastError = error ?? this.lastError;
    return events;
  }

  /** What the text ends with, where it is an error, when the output ends without a result. */
  end(): void {
    this.endParagraph();
  }
}
