import type { ChatEvent } from 'drivebay/plugin';
import { AnswerRestarted, AnswerText, type Channel } from './answer-text';
import { fieldsOf, isFields, listOf, numberOf, textOf, type Fields } from '../_shared/fields';
import { toolActivity } from '../_shared/cli/tool-activity';
import { readFailure } from './read-failure';
import { readRetry } from './read-retry';
import type { Outcome, RunReport } from './run-report';
import { toUsage } from './usage';
import { UsageCounter } from './usage-counter';

export interface EventReaderOptions {
  /** Whether the answer ends where the model first reaches its token limit. Otherwise the program lets it go on. */
  endsAtLimit: boolean;
  /** Whether an answer that begins anew is a failure; otherwise the second one follows the first. */
  refusesRestart: boolean;
  /** When the call times out, in ms since the epoch: a pause beyond it is not waited for. */
  deadline: number;
}

const NOTHING: readonly ChatEvent[] = [];
const CHANNELS: Readonly<Record<string, Channel>> = { text: 'text', thinking: 'reasoning' };
/** The author of messages that the program writes itself. */
const SYNTHETIC = '<synthetic>';
const LIMIT_REASONS = new Set(['max_tokens', 'model_context_window_exceeded']);

/** Reads the lines of one run (`--output-format stream-json`), with and without partial messages. */
export class EventReader {
  /** Set by the line that ends the run. */
  outcome: Outcome | undefined;
  /** What the program says about itself in its first line. */
  init: { version?: string | undefined; keySource?: string | undefined } | undefined;
  /** Whether a tool was called. */
  usedTools = false;
  /** The names of tools that were not allowed to run. */
  denied: string[] = [];
  /** What was said about a failure before the end, or instead of it. */
  readonly report: RunReport = {};
  private readonly answer: AnswerText;
  private stopReason: string | undefined;
  /** For a run that is ended by us. */
  private readonly counter = new UsageCounter();

  constructor(private readonly options: EventReaderOptions) {
    this.answer = new AnswerText(options.refusesRestart);
  }

  /** What a line adds to the answer. Lines that mean nothing to it add nothing. */
  read(line: unknown): readonly ChatEvent[] {
    if (!isFields(line)) return NOTHING;
    // What a subagent says is said to the agent that started it.
    if (line.parent_tool_use_id != null) return NOTHING;
    try {
      return this.readOwn(line);
    } catch (error) {
      if (!(error instanceof AnswerRestarted)) throw error;
      this.outcome = { type: 'restarted' };
      return NOTHING;
    }
  }

  private readOwn(line: Fields): readonly ChatEvent[] {
    switch (line.type) {
      case 'stream_event':
        return this.readStreamed(fieldsOf(line.event));
      case 'assistant':
        return this.readMessage(line);
      case 'result':
        return this.readResult(line);
      case 'system':
        return this.readSystem(line);
      case 'rate_limit_event':
        this.readLimit(fieldsOf(line.rate_limit_info));
        return NOTHING;
      default:
        return NOTHING;
    }
  }

  private readStreamed(event: Fields): readonly ChatEvent[] {
    switch (event.type) {
      case 'content_block_delta': {
        const delta = fieldsOf(event.delta);
        if (delta.type === 'text_delta' && typeof delta.text === 'string')
          return [this.answer.delta('text', delta.text)];
        if (delta.type !== 'thinking_delta' || typeof delta.thinking !== 'string') return NOTHING;
        return [this.answer.delta('reasoning', delta.thinking)];
      }
      case 'content_block_start': {
        const block = fieldsOf(event.content_block);
        if (String(block.type).endsWith('tool_use')) this.usedTools = true;
        return toList(this.answer.startBlock(CHANNELS[String(block.type)], textOf(block.text) ?? ''));
      }
      case 'message_start': {
        const message = fieldsOf(event.message);
        this.counter.update(message.usage);
        this.answer.start(textOf(message.id) ?? '');
        return NOTHING;
      }
      case 'message_delta':
        this.stopReason = textOf(fieldsOf(event.delta).stop_reason) ?? this.stopReason;
        this.counter.update(event.usage);
        if (this.options.endsAtLimit && this.stopReason === 'max_tokens') {
          this.outcome = { type: 'answer', reason: 'length', usage: this.counter.total(), isEarly: true };
        }
        return NOTHING;
      case 'message_stop':
        this.counter.next();
        this.answer.stop(this.stopReason === 'max_tokens');
        return NOTHING;
      default:
        return NOTHING;
    }
  }

  private readMessage(line: Fields): readonly ChatEvent[] {
    const message = fieldsOf(line.message);
    const blocks = listOf(message.content).map(fieldsOf);
    if (message.model === SYNTHETIC || line.error != null) {
      this.report.text = blocks.map((block) => textOf(block.text) ?? '').join('') || this.report.text;
      this.report.class = textOf(line.error) ?? this.report.class;
      return NOTHING;
    }
    const events: ChatEvent[] = [];
    for (const block of blocks) {
      if (String(block.type).endsWith('tool_use')) {
        this.usedTools = true;
        events.push(toolActivity(block.name, block.input));
      }
      const channel = CHANNELS[String(block.type)];
      if (!channel) continue;
      const event = this.answer.whole(textOf(message.id) ?? '', channel, textOf(block.text ?? block.thinking) ?? '');
      if (event) events.push(event);
    }
    return events;
  }

  private readResult(line: Fields): readonly ChatEvent[] {
    const text = textOf(line.result) ?? '';
    const reason = textOf(line.stop_reason) ?? this.stopReason;
    const usage = toUsage(line);
    this.denied = listOf(line.permission_denials).map((denial) => textOf(fieldsOf(denial).tool_name) ?? 'a tool');
    const failure = readFailure(line, this.report);
    if (failure === undefined) {
      // A command that the program answered by itself, or an old task that it reports first: not the model's answer.
      if (line.num_turns === 0 && !this.answer.hasContent && !usage?.outputTokens) {
        this.report.text = text || this.report.text;
        return NOTHING;
      }
      this.outcome = { type: 'answer', reason: toFinishReason(reason), usage, isEarly: false };
      return toList(this.answer.final(text));
    }
    const wasRefused = reason === 'refusal';
    const isCut = failure.class === 'max_output_tokens' || line.subtype === 'error_max_turns';
    if (wasRefused || (isCut && this.answer.hasText)) {
      const ended = wasRefused ? 'content_filter' : 'length';
      this.outcome = { type: 'answer', reason: ended, usage, isEarly: false };
    } else {
      this.outcome = { type: 'failure', report: failure, isEarly: false };
    }
    return NOTHING;
  }

  private readSystem(line: Fields): readonly ChatEvent[] {
    if (line.subtype === 'init') {
      this.init = { version: textOf(line.claude_code_version), keySource: textOf(line.apiKeySource) };
      const model = textOf(line.model);
      return model === undefined ? NOTHING : [{ type: 'meta', model }];
    }
    if (line.subtype === 'api_retry') {
      const report = readRetry(line, this.options.deadline);
      if (report) this.outcome = { type: 'failure', report: { ...this.report, ...report }, isEarly: true };
    }
    return NOTHING;
  }

  private readLimit(info: Fields): void {
    if (info.status === 'rejected') this.report.resetsAt = numberOf(info.resetsAt);
  }
}

function toFinishReason(reason: string | undefined): 'stop' | 'length' | 'content_filter' {
  if (reason === 'refusal') return 'content_filter';
  return reason !== undefined && LIMIT_REASONS.has(reason) ? 'length' : 'stop';
}

function toList(event: ChatEvent | undefined): readonly ChatEvent[] {
  return event ? [event] : NOTHING;
}
