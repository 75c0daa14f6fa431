import type { ChatEvent, Usage } from 'drivebay/plugin';
import { Paragraphs, toolActivity, usageOf } from '../_shared/cli/answer-parts';
import { failureOf, type Reading, type RunReader } from '../_shared/cli/cli-run';
import type { FailureReport } from '../_shared/cli/explain-by-rules';
import { type Fields, fieldsOf, isFields, listOf, parseJson, textOf } from '../_shared/fields';
import { AnswerText, errorTail } from './answer-text';
import { Segment } from './segment';

const NOTHING: Reading = { events: [] };
/** The CLI would go on for minutes. A connection that comes back at all comes back at once. */
const MOST_RECONNECTS = 3;
/** Builds for Windows, and terminals, put this before a line. It is short. */
const BEFORE_EVENT = /^(?:\u001b\[[\d;]*[A-Za-z]|\s)*(?:std(?:out|err):)?\s*(?=\{)/;

/** Reads the events of one run (`--output-format stream-json`), with and without partial output. */
export class EventReader implements RunReader {
  hasActed = false;
  /** An error that was said before the end, or instead of it. */
  private lastError: string | undefined;
  private readonly answer = new AnswerText();
  private readonly segment = new Segment();
  private tailError: string | undefined;
  private mayRestart = false;
  private reconnects = 0;
  private readonly thoughts = new Paragraphs('reasoning');

  /** `refusesRestart`: a second beginning is a failure. Otherwise it follows as a paragraph of its own. `chat`: the one to go on with. */
  constructor(
    private readonly refusesRestart: boolean,
    private readonly chat?: string,
  ) {}

  read(json: unknown, text = ''): Reading | undefined {
    const line = json ?? eventIn(text);
    if (!isFields(line)) return undefined;
    // A subagent speaks to the agent that started it, not to the user.
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
        const { session_id: chat = this.chat } = line;
        // The model of another chat knows nothing of the conversation.
        if (this.chat !== undefined && chat !== this.chat) {
          return { events: [], outcome: failureOf('the chat was not found') };
        }
        if (line.subtype !== 'init') return NOTHING;
        const model = textOf(line.model);
        const about = { keySource: textOf(line.apiKeySource) };
        return { events: model === undefined ? [] : [{ type: 'meta', model }], about };
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
    const events = isRestart ? this.endParagraph() : [];
    if (this.segment.take(isPiece, callId)) {
      this.reconnects = 0;
      this.tailError = undefined;
      events.push(...this.answer.add(text));
    }
    // The whole of a text is its end.
    if (!isPiece) events.push(...this.endParagraph());
    return { events };
  }

  private readThought({ subtype, text }: Fields): Reading {
    if (subtype === 'completed') this.thoughts.end();
    return subtype === 'delta' ? { events: this.thoughts.add(textOf(text) ?? '') } : NOTHING;
  }

  private readTool(line: Fields): Reading {
    const [[name, call] = ['unknown', {}]] = Object.entries(fieldsOf(line.tool_call));
    const tool = name.replace(/ToolCall$/, '');
    const item = { tool, stage: textOf(line.subtype) ?? '' };
    this.hasActed = true;
    if (line.subtype === 'completed') return { events: [], item };
    this.segment.end(textOf(line.model_call_id));
    return { events: [...this.endParagraph(), toolActivity(tool, fieldsOf(call).args)], item };
  }

  private readRetry(line: Fields): Reading {
    const item = { event: line.type, stage: textOf(line.subtype) ?? '' };
    if (line.type === 'retry' && line.is_resume !== true) this.mayRestart ||= this.segment.hasPieces;
    if (line.subtype === 'reconnected') this.reconnects = 0;
    if (line.subtype !== 'reconnecting') return { events: [], item };
    this.reconnects += 1;
    if (this.reconnects < MOST_RECONNECTS) return { events: [], item };
    const place = textOf(line.endpoint_url);
    const text = `Connection lost, not restored after ${this.reconnects} attempts${place ? ` (${place})` : ''}`;
    return { events: [], item, outcome: failureOf(text) };
  }

  private readResult(line: Fields): Reading {
    const whole = textOf(line.result) ?? '';
    const subtype = textOf(line.subtype) ?? 'success';
    if (line.is_error === true || subtype !== 'success') {
      const words = [whole, textOf(fieldsOf(line.error).message), textOf(line.error), this.lastError];
      const text = words.find((each) => each?.trim()) ?? `the run ended with ${subtype}`;
      return { events: [], usage: readUsage(line), outcome: failureOf(text) };
    }
    const missing = errorTail(whole) === undefined ? this.answer.complete(whole) : [];
    const { events, error = errorTail(whole) ?? this.tailError } = this.answer.close();
    if (error !== undefined) return { events: [], outcome: failureOf(error) };
    return { events: [...missing, ...events], outcome: { type: 'answer', finish: 'stop', usage: readUsage(line) } };
  }

  private endParagraph(): ChatEvent[] {
    const { events, error } = this.answer.close();
    this.tailError = error ?? this.tailError;
    this.lastError = error ?? this.lastError;
    return events;
  }

  /** An error that the text ends with counts, too. */
  end(): FailureReport | undefined {
    this.endParagraph();
    return this.lastError === undefined ? undefined : { text: this.lastError };
  }
}

function eventIn(text: string): unknown {
  const before = BEFORE_EVENT.exec(text.slice(0, 100))?.[0];
  return before ? parseJson(text.slice(before.length)) : undefined;
}

const CAMEL_CASE = {
  input: 'inputTokens',
  output: 'outputTokens',
  cached: 'cacheReadTokens',
  written: 'cacheWriteTokens',
  isUncached: true,
};
const SNAKE_CASE = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'cache_read_tokens',
  written: 'cache_write_tokens',
  isUncached: true,
};

function readUsage(result: Fields): Usage | undefined {
  const usage = { ...result, ...fieldsOf(result.usage) };
  return usageOf(usage, CAMEL_CASE) ?? usageOf(usage, SNAKE_CASE);
}
